import { column, execute, type PoolClient, Prisma, query } from '@meridian/db'
import { DomainError } from '../errors/domain-error.ts'

const { sql } = Prisma

/** What there may be only so many of, counted by `countSql`; beyond `most` the member `path` is refused with `message`. */
type Bounded = {
  name: string
  countSql: Prisma.Sql
  most: number
  path: string
  message: { zh: string; en: string }
}

/**
 * Several callers at once make no more than there may be: each waits, until its transaction ends, for those before it.
 * @throws DomainError invalid_request where there are as many already
 */
export async function requireRoom(
  client: PoolClient,
  { name, countSql, most, path, message }: Bounded,
): Promise<void> {
  await execute(
    client,
    query('lock-room', sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))::text`),
  )
  const [row] = await execute(
    client,
    query(null, sql`SELECT count(*)::int AS made FROM ${countSql}`, { made: column.integer }),
  )
  if ((row?.made ?? 0) >= most) throw new DomainError('invalid_request', { errors: [{ path, message }] })
}
