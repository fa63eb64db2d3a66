import { Prisma } from '@meridian/db'
import { keptSinceSql } from '../platform/time/kept-since.ts'

/** Sessions of operators that ended long ago, at most so many at once; the audit log outlives them. */
export const purgeSessionsSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM operator_sessions WHERE id IN (
    SELECT id FROM operator_sessions WHERE expires_at < ${keptSinceSql('operator_sessions')} ORDER BY expires_at LIMIT ${limit})
  RETURNING 1 AS gone`
