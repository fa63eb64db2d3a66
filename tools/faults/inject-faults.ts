import { scheduler } from 'node:timers/promises'
import type { Chance } from './chance.ts'
import type { Figures } from './figures.ts'
import { controlSandbox, type World } from './open-world.ts'

type FaultPlan = { world: World; chance: Chance; figures: Figures; killEvery: number }

export type Injection = {
  /** Restarts the database, as one of its two ways of going away. */
  takeDatabaseAway: (how: 'killed' | 'stopped') => Promise<void>
  /** Calm: both programs run, the platform behaves. */
  end: () => Promise<void>
}

/** Kills one program after the other and starts it again, for as long as faults are injected. */
async function killPrograms({ world, chance, killEvery }: FaultPlan, isOver: AbortSignal): Promise<void> {
  for (let turn = 0; !isOver.aborted; turn += 1) {
    const pauseMs = killEvery * 1000 * chance.between(0.4, 1.6)
    const calm = await scheduler.wait(pauseMs, { signal: isOver }).catch(() => 'over')
    if (calm === 'over') return
    // Mostly one, so that somebody answers; now and then both at once.
    const both = chance.of(0.15)
    const doomed = both ? world.replicas : [world.replicas[turn % 2 === 0 ? 0 : 1]]
    await Promise.all(doomed.map(({ killAndStart }) => killAndStart()))
  }
}

/** Now and then the platform fails some of our own calls, before or after it did what it was asked. */
async function stirPlatform({ world, chance, figures }: FaultPlan, isOver: AbortSignal): Promise<void> {
  while (!isOver.aborted) {
    const rule = {
      kind: chance.oneOf(['error_before', 'error_after', 'drop', 'unsigned', 'delay']),
      at: chance.oneOf(['prepay', 'query', 'close']),
      times: Math.ceil(chance.between(0, 5)),
      ms: 1_500,
    }
    await controlSandbox(world.sandboxUrl, 'weather', [rule])
    figures['platform failures'] += rule.times
    await scheduler.wait(chance.between(500, 3_000), undefined).catch(() => undefined)
  }
  await controlSandbox(world.sandboxUrl, 'weather', [])
}

export function injectFaults(plan: FaultPlan): Injection {
  const { world, figures } = plan
  const over = new AbortController()
  const injecting = Promise.all([killPrograms(plan, over.signal), stirPlatform(plan, over.signal)])
  // Awaited when the injection ends; until then nobody listens.
  injecting.catch(() => undefined)
  return {
    takeDatabaseAway: async (how) => {
      figures[`database ${how}`] += 1
      await (how === 'killed' ? world.database.killAndStart() : world.database.stopAndStart())
    },
    end: async () => {
      over.abort()
      await injecting
    },
  }
}
