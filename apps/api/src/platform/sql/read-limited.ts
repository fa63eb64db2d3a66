import {
  type Columns,
  execute,
  isStatementTimeout,
  type Pool,
  type PoolClient,
  type Prisma,
  query,
  type RowOf,
} from '@meridian/db'
import { DomainError } from '../errors/domain-error.ts'

/**
 * A console query under a two-second limit, in a transaction of its own because the limit is local to it.
 * @throws DomainError range_too_wide
 */
async function limited<Row>(pool: Pool, read: (client: PoolClient) => Promise<Row[]>): Promise<Row[]> {
  const client = await pool.connect()
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = '2s'`)
    const rows = await read(client)
    await client.query('COMMIT')
    return rows
  } catch (error) {
    await client.query('ROLLBACK')
    throw isStatementTimeout(error) ? new DomainError('range_too_wide', { cause: error }) : error
  } finally {
    client.release()
  }
}

/** Reads rows of these columns under the limit. */
export const readLimited = <Declared extends Columns>(
  pool: Pool,
  sql: Prisma.Sql,
  columns: Declared,
): Promise<RowOf<Declared>[]> => limited(pool, (client) => execute(client, query(null, sql, columns)))
