import { Prisma } from '@meridian/db'
import { keptSinceSql } from '../platform/time/kept-since.ts'

/** Sign-ins of users whose time is over, with all their refresh tokens, at most so many at once. */
export const purgeSignInsSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM token_families WHERE id IN (
    SELECT id FROM token_families WHERE expires_at < ${keptSinceSql('token_families')} ORDER BY expires_at LIMIT ${limit})
  RETURNING 1 AS gone`
