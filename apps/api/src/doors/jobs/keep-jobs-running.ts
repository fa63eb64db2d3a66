import { setTimeout as delay } from 'node:timers/promises'
import type { Services } from '../../services.ts'
import type { Metrics } from '../operations/metrics-door.ts'
import { type RunningJobs, startJobs } from './job-door.ts'
import { findQueue, type QueueWatch, watchQueue } from './watch-queue.ts'

const retryEveryMs = 2000

/** The job library would migrate its own tables; a replica waits for the command that does. */
async function startWhenMigrated(services: Services, metrics: Metrics): Promise<RunningJobs | null> {
  return (await findQueue(services)) ? startJobs(services, metrics) : null
}

export type KeptJobs = Pick<RunningJobs, 'stop'> & Pick<QueueWatch, 'hasQueue' | 'looked'>

/**
 * Runs jobs in this process until stopped, whatever the database does: they begin when it is there and migrated, and
 * begin again when its leaving ended them.
 */
export function keepJobsRunning(services: Services, metrics: Metrics): KeptJobs {
  const queue = watchQueue(services)
  const stopping = new AbortController()
  const stopped = () => stopping.signal.aborted
  let running: RunningJobs | null = null
  const runOnce = async () => {
    running = await startWhenMigrated(services, metrics)
    if (!running) return
    if (stopped()) await running.stop()
    await running.ended
    if (!stopped()) services.log.warn({ component: 'jobs' }, 'jobs stopped by themselves and start again')
  }
  const run = async () => {
    while (!stopped()) {
      await runOnce().catch((error: unknown) =>
        services.log.warn({ component: 'jobs', reason: String(error) }, 'jobs cannot start yet'),
      )
      await delay(retryEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const ran = run()
  return {
    hasQueue: queue.hasQueue,
    looked: queue.looked,
    stop: async () => {
      stopping.abort()
      queue.stop()
      await running?.stop()
      await ran
    },
  }
}
