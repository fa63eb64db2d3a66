import { setTimeout as pause } from 'node:timers/promises'
import { openOneAtATime } from '../platform/limits/bounded-work.ts'
import { postWith } from '../platform/network/post-message.ts'
import type { Services } from '../services.ts'
import { collectEvents } from './collect-events.ts'
import type { InTurn } from './in-turn.ts'
import { reachOfEvents } from './reach.ts'
import { switchOffFailing } from './record-outcome.ts'
import { openSender } from './send-deliveries.ts'
import { keptBytes, timeoutMs } from './try-delivery.ts'

/** How often is looked for what happened, and for what is due. */
const lookEveryMs = 1_000
/** How often is looked for endpoints that have failed too long. */
const judgeEveryMs = 30_000

/**
 * Collects what happened and sends it, while this process runs jobs; of their connections it takes two at
 * most. A round
 * that fails is told once and the next one goes on: nothing is lost, since what was not kept or recorded is found again.
 */
export function keepEventsSent({ config, log, doors }: Services): { stop: () => Promise<void> } {
  const { pool } = doors.jobs
  const queue = openOneAtATime()
  const inTurn: InTurn = (work) => queue.run('events', work)
  const post = postWith(reachOfEvents(config.platform), { timeoutMs, keepBytes: keptBytes })
  const onFailure = (error: unknown) =>
    log.warn({ component: 'events', reason: String(error) }, 'events wait')
  const sender = openSender({ pool, inTurn, post, dataKeys: config.DATA_KEY, onFailure })
  const stopping = new AbortController()
  const rest = (ms: number) => pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined)
  const repeat = async (everyMs: number, work: () => Promise<unknown>) => {
    let failing = false
    while (!stopping.signal.aborted) {
      failing = await work().then(
        () => false,
        (error: unknown) => {
          if (!failing) onFailure(error)
          return true
        },
      )
      await rest(failing ? Math.max(everyMs, lookEveryMs) : everyMs)
    }
  }
  const collect = async () => {
    if ((await collectEvents(pool, inTurn)) > 0) sender.wake()
  }
  const sendSome = async () => {
    const woken = sender.woken()
    if ((await sender.begin()) === 0) await Promise.race([woken, rest(lookEveryMs)])
  }
  const loops = [
    repeat(lookEveryMs, collect),
    repeat(0, sendSome),
    repeat(judgeEveryMs, () => inTurn(() => switchOffFailing(pool))),
  ]
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
      await sender.settled()
    },
  }
}
