import { Prisma } from '@meridian/db'

/** Alerts that were resolved long ago, at most so many at once. */
export const forgottenAlerts = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM alerts WHERE id IN (
    SELECT id FROM alerts WHERE opened_at < now() - interval '18 months' AND resolved_at < now() - interval '18 months'
    ORDER BY opened_at, id LIMIT ${limit})
  RETURNING 1 AS gone`
