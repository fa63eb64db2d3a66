import {
  type Columns,
  type Connection,
  execute,
  isStatementTimeout,
  type Pool,
  type PoolClient,
  type Prisma,
  query,
  type RowOf,
} from '@meridian/db'
import { DomainError } from '../errors/domain-error.ts'

/** Runs several statements as one transaction on one connection; whatever fails undoes all of it. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    // A connection that cannot even roll back is of no use to the next one.
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    )
    throw error
  }
}

/** The same on a pool; inside a transaction under way it becomes part of that one. */
export const withinTransaction = <Result>(
  db: Connection,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> => ('release' in db ? work(db) : inTransaction(db, work))

/**
 * Runs several statements as a transaction that is undone in any case: answers what they would have done. Nobody else
 * ever sees any of it.
 */
export async function withRollback<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    return await work(client)
  } finally {
    await client.query('ROLLBACK').then(
      () => client.release(),
      () => client.release(true),
    )
  }
}

/**
 * Console queries under a two-second limit each, in a transaction of their own because the limit is local to it: what
 * they see is of one moment.
 * @throws DomainError range_too_wide
 */
export async function withinLimit<Result>(
  pool: Pool,
  read: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    // To compile a statement takes longer than to run one that ends in time.
    await client.query(
      `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = '2s'; SET LOCAL jit = off`,
    )
    const result = await read(client)
    await client.query('COMMIT')
    return result
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
): Promise<RowOf<Declared>[]> => withinLimit(pool, (client) => execute(client, query(null, sql, columns)))
