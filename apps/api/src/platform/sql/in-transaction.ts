import type { Pool, PoolClient } from '@meridian/db'

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
