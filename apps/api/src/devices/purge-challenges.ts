import { Prisma } from '@meridian/db'
import { keptSinceSql } from '../platform/time/kept-since.ts'

/** Questions to devices that nobody can answer any more, at most so many at once. */
export const purgeChallengesSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM bind_challenges WHERE nonce IN (
    SELECT nonce FROM bind_challenges WHERE expires_at < ${keptSinceSql('bind_challenges')} ORDER BY expires_at LIMIT ${limit})
  RETURNING 1 AS gone`
