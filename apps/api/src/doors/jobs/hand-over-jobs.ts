import { setTimeout as delay } from 'node:timers/promises'
import type { Pool } from '@meridian/db'
import { handOverDueJobs, mostHandedOver } from '../../jobs/due-jobs.ts'
import { logSampled } from '../../platform/log.ts'
import type { Services } from '../../services.ts'

const everyMs = 1_000
const failuresToldEveryMs = 60_000

/**
 * Hands what falls due to the job library every second, at once again while there is more, until it is stopped; a
 * database that leaves is asked again when it may be back. Every process that does jobs does it: none waits for another.
 */
export function keepHandingOver({ log }: Pick<Services, 'log'>, pool: Pool): () => void {
  const stopping = new AbortController()
  const { signal } = stopping
  const tellFailure = logSampled(failuresToldEveryMs, (times, reason: unknown) =>
    log.warn(
      { component: 'jobs', times, reason: String(reason) },
      'jobs that are due could not be handed over',
    ),
  )
  const handOver = async () => {
    while (!signal.aborted && (await handOverDueJobs(pool)) === mostHandedOver);
  }
  const run = async () => {
    while (!signal.aborted) {
      await handOver().catch((error: unknown) => {
        if (!signal.aborted) tellFailure(error)
      })
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }
  void run()
  return () => stopping.abort()
}
