import type { Pool, PoolClient } from 'pg'
import { migrationFailure } from './migration-failure.ts'
import type { Migration } from './migration-record.ts'
import { GaveWay, isBlocked, mostWaitedMs, outOfTime } from './retry-while-blocked.ts'
import { spoken, type TimeLimit } from './time-limit.ts'
import { type BlockerWatch, watchBlockers } from './watch-blockers.ts'

export type Run = {
  pool: Pool
  limit: TimeLimit
  tell: (line: string) => void
}

/**
 * Runs a migration's file in the transaction of this client. The whole file is one simple query, so that PostgreSQL
 * alone decides where a statement ends.
 * @throws GaveWay after 1.5 s of waiting for locks; Error when the file fails or the time is over
 */
export async function runInTransaction(client: PoolClient, migration: Migration, run: Run): Promise<void> {
  await client.query(
    `SET LOCAL lock_timeout = ${mostWaitedMs}; SET LOCAL statement_timeout = ${run.limit.leftMs()}`,
  )
  const watch = watchBlockers(run.pool, { pid: await pidOf(client), mostWaitedMs })
  try {
    await client.query(migration.sql)
    if (client.getTransactionStatus() !== 'T') throw new Error('it ends the transaction that it runs in')
    // What is deferred would fail with the COMMIT, which names no migration.
    await client.query('SET CONSTRAINTS ALL IMMEDIATE')
  } catch (error) {
    throw (
      asGivenWay(error, migration, watch) ??
      asOutOfTime(error, migration, run.limit) ??
      migrationFailure(migration, error)
    )
  } finally {
    await watch.stop()
  }
  // A cancellation that came too late for the file must not hit what follows unexplained.
  if (watch.gaveWay()) throw new GaveWay(reasonToGiveWay(migration, watch))
}

export async function pidOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid ?? 0
}

// 57014: query_canceled, by the watch or by statement_timeout.
const isCancelled = (error: unknown) => error instanceof Error && 'code' in error && error.code === '57014'

export function asGivenWay(error: unknown, migration: Migration, watch: BlockerWatch): Error | null {
  const gaveWay = isBlocked(error) || (isCancelled(error) && watch.gaveWay())
  return gaveWay ? new GaveWay(reasonToGiveWay(migration, watch), { cause: error }) : null
}

const reasonToGiveWay = ({ name }: Migration, watch: BlockerWatch): string =>
  `Migration ${name} gave way after ${spoken(mostWaitedMs)} to ${watch.lastSeen() ?? 'others who hold its locks'}`

export function asOutOfTime(error: unknown, { name }: Migration, limit: TimeLimit): Error | null {
  return isCancelled(error) && limit.isOver()
    ? outOfTime(`Migration ${name} was not done`, limit, error)
    : null
}
