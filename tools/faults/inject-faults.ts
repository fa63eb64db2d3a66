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

type Rule = { kind: string; at: string; times: number; ms: number }

/** Some of our own calls fail, before or after the platform did what it was asked; some pushes say what is not so. */
function newRule(chance: Chance): Rule {
  const times = Math.ceil(chance.between(0, 5))
  if (chance.of(0.2))
    return {
      kind: chance.oneOf(['wrong_amount', 'wrong_env', 'wrong_product', 'reorder', 'drop']),
      at: 'push',
      times,
      ms: 0,
    }
  const failure = chance.oneOf(['error_before', 'error_after', 'drop', 'unsigned', 'delay'])
  if (chance.of(0.5))
    return { kind: failure, at: chance.oneOf(['prepay', 'query', 'close']), times, ms: 1_500 }
  const kind = chance.oneOf(['error_before', 'error_after', 'drop', 'token_expired', 'delay'])
  return { kind, at: chance.oneOf(['xpay', 'xpay', 'xpay', 'mini_program']), times, ms: 1_500 }
}

async function stirPlatform({ world, chance, figures }: FaultPlan, isOver: AbortSignal): Promise<void> {
  while (!isOver.aborted) {
    const rule = newRule(chance)
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
