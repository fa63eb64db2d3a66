import { column, execute, Prisma, query } from '@meridian/db'
import type { Watch } from '../condition.ts'

/** For two days no file of a schedule arrived where it should. Over with the next that does, or with the schedule. */
export const exportFailing: Watch = {
  kind: 'export_failing',
  find: async ({ pool, now }) => {
    const rows = await execute(
      pool,
      query(
        null,
        Prisma.sql`
        SELECT id::text AS id, kind, failing_since AS since FROM export_schedules
        WHERE removed_at IS NULL AND paused_at IS NULL AND failing_since <= ${now}::timestamptz - interval '48 hours'`,
        { id: column.text, kind: column.text, since: column.instant },
      ),
    )
    return rows.map(({ id, kind, since }) => ({
      subject: `${kind} ${id}`,
      detail: { kind, since: since.toISOString() },
      evidenceAt: now,
    }))
  },
}
