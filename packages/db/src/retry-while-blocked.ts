import { setTimeout as pause } from 'node:timers/promises'
import { spoken, type TimeLimit } from './time-limit.ts'

/**
 * How long a migration waits for locks in one go, in milliseconds: as long waits who queues behind it on a table. Less than
 * the 2 s that payments wait for a lock, so that none of them fails for it; more than `deadlock_timeout` (1 s), after which
 * an ordinary autovacuum makes room.
 */
export const mostWaitedMs = 1_500

// 55P03 lock_not_available, 40P01 deadlock_detected.
const blocked: ReadonlySet<unknown> = new Set(['55P03', '40P01'])

/** Waiting was given up, so that those who queue behind get their turn; the same work may be tried again later. */
export class GaveWay extends Error {
  override name = 'GaveWay'
}

/** Whether the work gave up waiting for a lock, or PostgreSQL did. */
export function isBlocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error instanceof GaveWay || ('code' in error && blocked.has(error.code))
}

/**
 * Runs the work again, from its beginning, as long as it fails because others hold the locks it needs. The pauses grow
 * from about 2 s to about 10 s, by chance a quarter shorter or longer, so that two do not stay in step: long enough that
 * who waited for one try is done before the next.
 * @throws whatever else the work throws, at once; Error with the last reason when the time is over
 */
export async function retryWhileBlocked<T>(
  work: () => Promise<T>,
  { limit, tell }: { limit: TimeLimit; tell: (reason: string, pauseMs: number) => void },
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isBlocked(error)) throw error
      const pauseMs = Math.min(2_000 * 1.5 ** attempt, 10_000) * (0.75 + Math.random() / 2)
      const reason = error instanceof Error ? error.message : String(error)
      if (pauseMs >= limit.leftMs()) throw outOfTime(`${reason}, and was not done`, limit, error)
      tell(reason, pauseMs)
      await pause(pauseMs)
    }
  }
}

/** The error of work that had to end because the time was over. */
export const outOfTime = (what: string, { limitMs }: TimeLimit, cause?: unknown): Error =>
  new Error(`${what} within ${spoken(limitMs)}`, { cause })
