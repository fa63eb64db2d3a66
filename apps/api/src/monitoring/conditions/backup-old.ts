import { column, execute, nullable, Prisma, query } from '@meridian/db'
import { hourMs, type Watch } from '../condition.ts'

/** A day, and two hours for whoever starts it. */
const oldAfterMs = 26 * hourMs

/** The newest backup of the embedded database is older than 26 hours; where none was ever made nobody expects one. */
export const backupOld: Watch = {
  kind: 'backup_old',
  find: async ({ pool, now }) => {
    const [row] = await execute(
      pool,
      query(null, Prisma.sql`SELECT max(finished_at) AS newest FROM backups`, {
        newest: nullable(column.instant),
      }),
    )
    if (!row?.newest) return []
    const oldAt = new Date(row.newest.getTime() + oldAfterMs)
    if (oldAt >= now) return []
    return [{ subject: 'database', detail: { newest_at: row.newest }, evidenceAt: oldAt }]
  },
}
