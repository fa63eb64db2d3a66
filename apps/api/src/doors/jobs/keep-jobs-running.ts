import { setTimeout as delay } from 'node:timers/promises'
import { pendingMigrations } from '@meridian/db'
import { isQueueReady } from '../../jobs/read-queue.ts'
import type { Services } from '../../services.ts'
import type { Metrics } from '../operations/metrics-door.ts'
import { type RunningJobs, startJobs } from './job-door.ts'

const retryEveryMs = 2000

/** The job library would migrate its own tables; a replica waits for the command that does. */
async function startWhenMigrated(services: Services, metrics: Metrics): Promise<RunningJobs | null> {
  const { pool } = services.database
  const migrated = (await pendingMigrations(pool)).length === 0 && (await isQueueReady(pool))
  return migrated ? startJobs(services, metrics) : null
}

/**
 * Runs jobs in this process until stopped, whatever the database does: they begin when it is there and migrated, and
 * begin again when its leaving ended them.
 */
export function keepJobsRunning(services: Services, metrics: Metrics): Pick<RunningJobs, 'stop'> {
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
    stop: async () => {
      stopping.abort()
      await running?.stop()
      await ran
    },
  }
}
