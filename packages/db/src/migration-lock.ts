import { setTimeout as pause } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { outOfTime } from './retry-while-blocked.ts'
import type { TimeLimit } from './time-limit.ts'

// Any number that nothing else in the database locks.
const migrationLock = 4_919_202_611

/**
 * Runs the work in a transaction that alone migrates this database, and commits it. The lock belongs to the transaction:
 * nothing of it can stay behind in a session.
 *
 * CREATE INDEX CONCURRENTLY, in another session, waits for every transaction that has a snapshot. So whoever waits for
 * the lock asks for it now and then instead of queueing, and the transaction that holds it is READ COMMITTED whatever
 * the database's default, so that it has no snapshot between two statements (`dropSnapshot`).
 * @throws Error when others had the lock until the time was over, or what the work throws
 */
export async function underMigrationLock<T>(
  client: PoolClient,
  { limit, work }: { limit: TimeLimit; work: () => Promise<T> },
): Promise<T> {
  try {
    await takeLock(client, limit)
    const answer = await work()
    await client.query('COMMIT')
    return answer
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function takeLock(client: PoolClient, limit: TimeLimit): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    await client.query(
      'BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = 0',
    )
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
      migrationLock,
    ])
    if (rows[0]?.taken) return
    await client.query('ROLLBACK')
    if (limit.isOver()) throw outOfTime('Another process is migrating this database and was not done', limit)
    await pause(Math.min(50 * 2 ** attempt, 1_000, limit.leftMs()) * (0.5 + Math.random() / 2))
  }
}

/**
 * A statement with parameters keeps its snapshot until the connection's next one, in which PostgreSQL closes its portal;
 * one without leaves none.
 */
export async function dropSnapshot(client: PoolClient): Promise<void> {
  await client.query('SELECT')
}
