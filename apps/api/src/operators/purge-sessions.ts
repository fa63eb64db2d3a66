import { Prisma } from '@meridian/db'

/** Sessions of operators that ended three months ago, at most so many at once; the audit log outlives them. */
export const purgeSessionsSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM operator_sessions WHERE id IN (
    SELECT id FROM operator_sessions WHERE expires_at < business_now() - interval '90 days' ORDER BY expires_at LIMIT ${limit})
  RETURNING 1 AS gone`
