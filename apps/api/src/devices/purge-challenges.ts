import { Prisma } from '@meridian/db'

/** Questions to devices that nobody can answer any more, at most so many at once. */
export const purgeChallengesSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM bind_challenges WHERE nonce IN (
    SELECT nonce FROM bind_challenges WHERE expires_at < business_now() - interval '1 day' ORDER BY expires_at LIMIT ${limit})
  RETURNING 1 AS gone`
