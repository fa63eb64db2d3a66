import { setTimeout as delay } from 'node:timers/promises'
import { pendingMigrations } from '@meridian/db'
import { isQueueReady } from '../../jobs/read-queue.ts'
import type { Services } from '../../services.ts'

/** Whether this process can do jobs: its own connections have found the queue lately. */
export type QueueWatch = {
  hasQueue: () => boolean
  /** Fulfilled when it has looked for the first time, whatever it found. */
  looked: Promise<void>
  stop: () => void
}

const lookEveryMs = 5_000
/** A worker that found no queue for as long is not ready; a database that restarts is back sooner. */
const mostMissedMs = 30_000

/** Whether the job queue is there, and the tables that the jobs of this release need; throws when the database is not. */
export async function findQueue({ database: { pool } }: Services): Promise<boolean> {
  return (await pendingMigrations(pool)).length === 0 && isQueueReady(pool)
}

/** Looks for the queue until stopped, by a clock that never jumps. */
export function watchQueue(services: Services, nowMs: () => number = () => performance.now()): QueueWatch {
  const stopping = new AbortController()
  let foundAtMs: number | null = null
  const look = async () => {
    if (await findQueue(services)) foundAtMs = nowMs()
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
