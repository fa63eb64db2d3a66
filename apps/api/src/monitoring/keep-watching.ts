import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '../services.ts'
import { checkConditions } from './check-conditions.ts'
import { healAlerts } from './heal-alerts.ts'
import { purgeObservations, recordObservations } from './record-observations.ts'
import { takeTurn } from './take-turn.ts'

const everyMs = 5_000
const checkEverySeconds = 15
const forgetEveryTurns = 240
/** A process that stood still for longer has watched nothing meanwhile. */
const breakMs = 60_000

/** Redis is gone for so long before that is worth a word. */
const aloneForMs = 60_000

/** Whether this process has limited alone for a minute although it should share its limits. */
export function isAlone({ limits }: Pick<Services, 'limits'>, now = new Date()): boolean {
  const { configured, up, since } = limits.sharing()
  return configured && !up && now.getTime() - since.getTime() >= aloneForMs
}

/**
 * Watches as long as the program runs, whatever its role: writes down what this process saw, and takes its turn at
 * judging what all of them saw. Not a job, because it must tell that no worker runs.
 */
export function keepWatching(services: Services): { stop: () => Promise<void> } {
  const { watchPool: pool, observations, log, runtime } = services
  const stopping = new AbortController()
  let watchingSince = runtime.now()
  let lastAt = watchingSince
  let turns = 0
  const watch = async () => {
    const now = runtime.now()
    if (now.getTime() - lastAt.getTime() > breakMs) watchingSince = now
    if (isAlone(services)) observations.note('limits_alone')
    await recordObservations(pool, observations)
    if (await takeTurn(pool, checkEverySeconds)) {
      const { signal } = stopping
      const { opened, ended } = await checkConditions(services, { watchingSince, signal })
      const healed = await healAlerts({ services, signal })
      if (opened.length + ended.length + healed.length > 0)
        log.warn({ component: 'watch', opened, ended, healed }, 'alerts changed')
      if (turns++ % forgetEveryTurns === 0) await purgeObservations(pool)
    }
    lastAt = runtime.now()
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await watch().catch((error: unknown) =>
        log.warn({ component: 'watch', reason: String(error) }, 'conditions could not be watched'),
      )
      await delay(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const ran = run()
  return {
    stop: async () => {
      stopping.abort()
      await ran
    },
  }
}
