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
 * Runs jobs in this process until stopped, however late the database comes: a replica outlives a database that is
 * down or not migrated yet, and begins when it is there.
 */
export function keepJobsRunning(services: Services, metrics: Metrics): RunningJobs {
  const stopping = new AbortController()
  const start = async (): Promise<RunningJobs | null> => {
    while (!stopping.signal.aborted) {
      const jobs = await startWhenMigrated(services, metrics).catch((error: unknown) => {
        services.log.warn({ component: 'jobs', reason: String(error) }, 'jobs cannot start yet')
        return null
      })
      if (jobs) return jobs
      await delay(retryEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
    return null
  }
  const started = start()
  return {
    stop: async () => {
      stopping.abort()
      const jobs = await started
      await jobs?.stop()
    },
  }
}
