import { column, execute, type PoolClient, Prisma, query } from '@meridian/db'
import type { DomainError } from '../errors/domain-error.ts'

const { sql } = Prisma

/** What there may be only so many of, counted by `countSql`; beyond `most` another is refused. */
type Bounded = { name: string; countSql: Prisma.Sql; most: number; refusal: () => DomainError }

/**
 * Several callers at once make no more than there may be: each waits, until its transaction ends, for those before it.
 * @throws DomainError the refusal, where there are as many already
 */
export async function requireRoom(
  client: PoolClient,
  { name, countSql, most, refusal }: Bounded,
): Promise<void> {
  await execute(
    client,
    query('lock-room', sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))::text`),
  )
  const [row] = await execute(
    client,
    query(null, sql`SELECT count(*)::int AS made FROM ${countSql}`, { made: column.integer }),
  )
  if ((row?.made ?? 0) >= most) throw refusal()
}
