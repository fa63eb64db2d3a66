import { column, execute, nullable, Prisma, query } from '@meridian/db'
import { oldestUntriedSql } from '../../events/oldest-untried.ts'
import { before, minuteMs, type Watch } from '../condition.ts'

const stuckAfterMs = 10 * minuteMs

/** For ten minutes an event was sent to nobody: no worker collects or sends. Over when it was tried. */
export const outboxStuck: Watch = {
  kind: 'outbox_stuck',
  find: async ({ pool, now }) => {
    const [row] = await execute(
      pool,
      query(null, Prisma.sql`SELECT ${oldestUntriedSql} AS oldest`, { oldest: nullable(column.instant) }),
    )
    if (!row?.oldest || row.oldest > before(now, stuckAfterMs)) return []
    return [{ subject: 'events', detail: { oldest_at: row.oldest }, evidenceAt: now }]
  },
}
