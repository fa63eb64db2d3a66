import { Prisma } from '@meridian/db'

/**
 * Whether a row of graphile_worker.jobs gave up: tried as often as it may be. What the library leaves of a job that was
 * enqueued anew under its key while it was at work is none: it has neither key nor error, its attempts are set to the
 * most, and it stays only where its worker died before it ended (graphile-worker's add_job).
 */
export const isDeadJobSql = Prisma.sql`
  attempts >= max_attempts AND locked_at IS NULL AND (key IS NOT NULL OR last_error IS NOT NULL)`
