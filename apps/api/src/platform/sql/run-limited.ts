import { isStatementTimeout, type Pool, type Prisma, run } from '@meridian/db'
import { DomainError } from '../errors/domain-error.ts'

/**
 * Runs a console query under a two-second limit, in a transaction of its own because the limit is local to it.
 * @throws DomainError range_too_wide
 */
export async function runLimited<Row extends object>(pool: Pool, statement: Prisma.Sql): Promise<Row[]> {
  const client = await pool.connect()
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = '2s'`)
    const rows = await run<Row>(client, null, statement)
    await client.query('COMMIT')
    return rows
  } catch (error) {
    await client.query('ROLLBACK')
    throw isStatementTimeout(error) ? new DomainError('range_too_wide', { cause: error }) : error
  } finally {
    client.release()
  }
}
