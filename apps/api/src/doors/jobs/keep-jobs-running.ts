import { setTimeout as delay } from 'node:timers/promises'
import { type Pool, pendingMigrations } from '@meridian/db'
import { isQueueReady } from '../../jobs/read-queue.ts'
import type { Services } from '../../services.ts'
import type { Metrics } from '../operations/metrics-door.ts'
import { type RunningJobs, startJobs } from './job-door.ts'

/** Whether this process can do jobs: its own connections have found the queue lately. */
type QueueWatch = {
  hasQueue: () => boolean
  /** Fulfilled when it has looked for the first time, whatever it found. */
  looked: Promise<void>
  stop: () => void
}

const lookEveryMs = 5_000
/** A worker that found no queue for as long is not ready; a database that restarts is back sooner. */
const mostMissedMs = 30_000

/**
 * Whether the job queue is there and may be worked on, and the tables that the jobs of this release need; throws when the
 * database is not.
 */
async function findQueue(pool: Pool): Promise<boolean> {
  return (await pendingMigrations(pool)).length === 0 && isQueueReady(pool)
}

/** Looks for the queue until stopped, by a clock that never jumps, through the connections that jobs are taken by. */
export function watchQueue(
  poolOfJobs: () => Pool,
  nowMs: () => number = () => performance.now(),
): QueueWatch {
  const stopping = new AbortController()
  let foundAtMs: number | null = null
  const look = async () => {
    if (await findQueue(poolOfJobs())) foundAtMs = nowMs()
  }
  const turn = () => {
    const pause = delay(lookEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    // A connection that says nothing any more must not end the watch; that the queue is missed, readiness tells.
    return { pause, looked: Promise.race([look().catch(() => undefined), pause]) }
  }
  const first = turn()
  const watch = async () => {
    for (let now = first; !stopping.signal.aborted; now = turn()) {
      await now.looked
      await now.pause
    }
  }
  void watch()
  return {
    looked: first.looked,
    hasQueue: () => foundAtMs !== null && nowMs() - foundAtMs <= mostMissedMs,
    stop: () => stopping.abort(),
  }
}

const retryEveryMs = 2000

/** The job library would migrate its own tables; a replica waits for the command that does. */
async function startWhenMigrated(services: Services, metrics: Metrics): Promise<RunningJobs | null> {
  return (await findQueue(services.database.pool)) ? startJobs(services, metrics) : null
}

export type KeptJobs = Pick<RunningJobs, 'stop'> & Pick<QueueWatch, 'hasQueue' | 'looked'>

/**
 * Runs jobs in this process until stopped, whatever the database does: they begin when it is there and migrated, and
 * begin again when its leaving ended them.
 */
export function keepJobsRunning(services: Services, metrics: Metrics): KeptJobs {
  let running: RunningJobs | null = null
  const queue = watchQueue(() => running?.pool ?? services.database.pool)
  const stopping = new AbortController()
  const stopped = () => stopping.signal.aborted
  const runOnce = async () => {
    running = await startWhenMigrated(services, metrics)
    if (!running) return
    if (stopped()) await running.stop()
    await running.ended
    running = null
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
