import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { migrations as shipped } from './generated/migrations.ts'
import { dropSnapshot, underMigrationLock } from './migration-lock.ts'
import { createTableIfMissing, findMissing, type Migration, recordMigration } from './migration-record.ts'
import { openPool } from './open-pool.ts'
import { runsOutside } from './outside-steps.ts'
import { readMigrations } from './read-migrations.ts'
import { refusePooler } from './refuse-pooler.ts'
import { mostWaitedMs, outOfTime, retryWhileBlocked } from './retry-while-blocked.ts'
import { type Run, runInTransaction } from './run-in-transaction.ts'
import { runOutsideTransaction } from './run-outside.ts'
import { spoken, startTimeLimit, type TimeLimit } from './time-limit.ts'

/** The migrations this program was built with. */
export const migrations: readonly Migration[] = shipped

export type MigrateOptions = {
  /** Defaults to the migrations this program was built with. */
  migrations?: readonly Migration[]
  /** Read the migrations from this folder instead. */
  migrationsFolder?: string
  /** Further schemas to bring up to date (the job library's), under the same lock, after ours. */
  alsoMigrate?: (pool: Pool) => Promise<unknown>
  /** How long all of it may take, waiting included, in milliseconds; 600,000 by default. */
  limitMs?: number
  /** Is told, one line each, what is waited for and what is tried again. */
  onProgress?: (line: string) => void
}

/**
 * Applies what is missing, in order, and tells the names. Several at once are safe: each migration is applied by one
 * of them. Each runs as one transaction together with its row in `_prisma_migrations`, so one that failed left nothing
 * behind and is simply tried again by the next call; one that begins with `-- outside a transaction` runs statement by
 * statement instead and has its row when all are done. What waits for the locks of others gives way after 1.5 s and is
 * tried again, so that nobody queues behind it for longer.
 * @throws Error when a migration fails, when an applied one was edited, when the histories have parted, behind a pooler
 * in transaction mode, or when it was not done within `limitMs`
 */
export async function migrate(
  databaseUrl: string,
  options: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const { migrationsFolder, limitMs = 600_000, onProgress: tell = () => undefined } = options
  const list = migrationsFolder ? await readMigrations(migrationsFolder) : (options.migrations ?? migrations)
  const limit = startTimeLimit(limitMs)
  return withPool(databaseUrl, {
    limit,
    work: (pool) => applyAll({ pool, limit, tell }, { ...options, list }),
  })
}

const graceMs = 10_000

// The server ends what takes too long; that it says nothing at all any more is noticed here.
async function withPool<T>(
  databaseUrl: string,
  { limit, work }: { limit: TimeLimit; work: (pool: Pool) => Promise<T> },
): Promise<T> {
  await refusePooler(databaseUrl)
  // One connection holds the lock, one runs what runs outside of its transaction, one looks who blocks.
  const pool = openPool(databaseUrl, {
    applicationName: 'meridian-migrate',
    maxConnections: 3,
    statementTimeoutMs: 0,
    serverTimeouts: { statementMs: 0, lockMs: mostWaitedMs, idleInTransactionMs: 0 },
    foreignTypes: true,
  })
  const done = new AbortController()
  const silence = pause(limit.leftMs() + graceMs, undefined, { signal: done.signal }).then(() => {
    throw outOfTime('The database did not answer', limit)
  })
  try {
    return await Promise.race([work(pool).finally(() => pool.end()), silence])
  } finally {
    done.abort()
    silence.catch(() => undefined)
  }
}

type Work = { list: readonly Migration[]; alsoMigrate?: MigrateOptions['alsoMigrate'] }

async function applyAll(run: Run, { list, alsoMigrate }: Work): Promise<{ applied: string[] }> {
  const applied: string[] = []
  for (;;) {
    const name = await locked(run, (client) => applyNext(client, list, run))
    if (name === null) break
    applied.push(name)
  }
  if (alsoMigrate) await locked(run, () => alsoMigrate(run.pool))
  return { applied }
}

/** A whole transaction under the lock of migrations, tried again while others hold the locks it needs. */
function locked<T>(run: Run, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const { pool, limit, tell } = run
  return retryWhileBlocked(
    async () => {
      const client = await pool.connect()
      const answer = await underMigrationLock(client, { limit, work: () => work(client) }).catch((error) => {
        client.release(true)
        throw error
      })
      client.release()
      return answer
    },
    { limit, tell: (reason, pauseMs) => tell(`${reason}, and tries again in ${spoken(pauseMs)}`) },
  )
}

async function applyNext(client: PoolClient, list: readonly Migration[], run: Run): Promise<string | null> {
  await createTableIfMissing(client)
  const [next] = await findMissing(client, list)
  if (next === undefined) return null
  const work = async () => {
    if (!runsOutside(next)) return runInTransaction(client, next, run)
    await dropSnapshot(client)
    return runOutsideTransaction(next, run)
  }
  await recordMigration(client, { migration: next, work })
  return next.name
}
