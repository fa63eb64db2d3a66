import { Prisma } from '@meridian/db'

const { sql } = Prisma

/** Notifications that were kept for eighteen months, at most so many at once. */
export const purgeNotificationsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM notifications WHERE id IN (
    SELECT id FROM notifications WHERE first_at < business_now() - interval '18 months' ORDER BY first_at, id LIMIT ${limit})
  RETURNING 1 AS gone`

const keptRejections = 10_000

/** Refused deliveries beyond a month or beyond their number, at most so many at once. */
export const purgeRejectionsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM rejected_deliveries WHERE id IN (
    SELECT id FROM rejected_deliveries WHERE at < business_now() - interval '30 days'
      OR id <= (SELECT id FROM rejected_deliveries ORDER BY id DESC OFFSET ${keptRejections} LIMIT 1)
    ORDER BY id LIMIT ${limit})
  RETURNING 1 AS gone`

/** How often deliveries were refused, as long as the inbox is kept. */
export const purgeRejectionCountsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM rejection_counts WHERE (reason, hour) IN (
    SELECT reason, hour FROM rejection_counts WHERE hour < business_now() - interval '18 months' LIMIT ${limit})
  RETURNING 1 AS gone`
