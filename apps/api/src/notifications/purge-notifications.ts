import { keptRows } from '@meridian/contracts'
import { Prisma } from '@meridian/db'
import { keptSinceSql } from '../platform/time/kept-since.ts'

const { sql } = Prisma

/** Notifications that were kept long enough, at most so many at once. */
export const purgeNotificationsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM notifications WHERE id IN (
    SELECT id FROM notifications WHERE first_at < ${keptSinceSql('notifications')} ORDER BY first_at, id LIMIT ${limit})
  RETURNING 1 AS gone`

/** Whether a refused delivery is beyond its time or beyond their number, as a condition. */
export const isExpiredRejectionSql = sql`(at < ${keptSinceSql('rejected_deliveries')}
  OR id <= (SELECT id FROM rejected_deliveries ORDER BY id DESC OFFSET ${keptRows.rejected_deliveries} LIMIT 1))`

/** Refused deliveries that are kept no longer, at most so many at once. */
export const purgeRejectionsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM rejected_deliveries WHERE id IN (
    SELECT id FROM rejected_deliveries WHERE ${isExpiredRejectionSql}
    ORDER BY id LIMIT ${limit})
  RETURNING 1 AS gone`

/** How often deliveries were refused, as long as the inbox is kept. */
export const purgeRejectionCountsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM rejection_counts WHERE (reason, hour) IN (
    SELECT reason, hour FROM rejection_counts WHERE hour < ${keptSinceSql('rejection_counts')} LIMIT ${limit})
  RETURNING 1 AS gone`
