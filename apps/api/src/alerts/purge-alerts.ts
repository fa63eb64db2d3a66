import { Prisma } from '@meridian/db'

/** Alerts that were resolved long ago, at most so many at once. */
export const purgeAlertsSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM alerts WHERE id IN (
    SELECT id FROM alerts WHERE opened_at < business_now() - interval '18 months' AND resolved_at < business_now() - interval '18 months'
    ORDER BY opened_at, id LIMIT ${limit})
  RETURNING 1 AS gone`

/** Messages to channels of more than 90 days ago, at most so many at once; tests that nobody sent within a day, too. */
export const purgeMessagesSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM alert_messages WHERE id IN (
    SELECT id FROM alert_messages WHERE created_at < business_now() - interval '90 days'
      OR (state = 'waiting' AND created_at < business_now() - interval '1 day')
    ORDER BY created_at, id LIMIT ${limit})
  RETURNING 1 AS gone`
