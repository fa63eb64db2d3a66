import { setTimeout as pause } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { migrationFailure } from './migration-failure.ts'
import type { Migration } from './migration-record.ts'
import { type OutsideStep, readOutsideSteps } from './outside-steps.ts'
import { GaveWay, mostWaitedMs, outOfTime, retryWhileBlocked } from './retry-while-blocked.ts'
import { asGivenWay, asOutOfTime, pidOf, type Run } from './run-in-transaction.ts'
import { spoken } from './time-limit.ts'
import { watchBlockers } from './watch-blockers.ts'

/**
 * Runs a migration that begins with the marker: each statement by itself, on a connection of its own, while the caller's
 * transaction holds the lock of migrations and records the migration afterwards. What was done before a crash is found
 * done by the next run.
 * @throws Error when a statement fails or cannot run here, or when the time is over
 */
export async function runOutsideTransaction(migration: Migration, run: Run): Promise<void> {
  const steps = readSteps(migration)
  const client = await run.pool.connect()
  try {
    await noticeLostClient(client)
    for (const step of steps)
      await retryWhileBlocked(() => runStep({ client, step, migration, run }), {
        limit: run.limit,
        tell: (reason, pauseMs) => run.tell(`${reason}, and tries again in ${spoken(pauseMs)}`),
      })
  } finally {
    client.release(true)
  }
}

function readSteps(migration: Migration): OutsideStep[] {
  try {
    return readOutsideSteps(migration)
  } catch (error) {
    throw migrationFailure(migration, error)
  }
}

// A program that was killed does not go on building: the next one would have to wait for it. Not every platform can.
const noticeLostClient = (client: PoolClient) =>
  client.query(`SET client_connection_check_interval = '1s'`).catch(() => undefined)

type Stepping<Step = OutsideStep> = { client: PoolClient; step: Step; migration: Migration; run: Run }
type CreateIndex = Extract<OutsideStep, { kind: 'create index' }>

async function runStep(stepping: Stepping): Promise<void> {
  const { step } = stepping
  // Locks of rows, which others wait for, and in a batch only.
  if (step.kind === 'block') return send(stepping, { lockWaitMs: mostWaitedMs })
  if (step.kind === 'create index') return createIndex({ ...stepping, step })
  if (await findIndex(stepping.client, step)) await send(stepping)
}

async function createIndex(stepping: Stepping<CreateIndex>): Promise<void> {
  const { client, step } = stepping
  const found = await untilNobodyBuilds(stepping)
  if (found?.isValid && !found.isAsked)
    throw migrationFailure(
      stepping.migration,
      new Error(`index ${step.index} is there already, on another table or not as unique`),
    )
  if (found?.isValid) return
  // A try that failed has left it behind: of no use to any query, a burden to every write.
  if (found) await dropIndex(client, { index: step.index, mostMs: stepping.run.limit.leftMs() })
  try {
    await send(stepping)
  } catch (error) {
    // A unique one refuses rows although it is invalid. What cannot be done now, the next run does.
    await dropIfInvalid(stepping).catch(() => undefined)
    throw error
  }
}

type FoundIndex = { isValid: boolean; isAsked: boolean; isBeingBuilt: boolean }

async function findIndex(
  client: PoolClient,
  { index, ...asked }: { index: string; table?: string; unique?: boolean },
): Promise<FoundIndex | undefined> {
  const { rows } = await client.query<FoundIndex>(
    `SELECT i.indisvalid AND i.indisready AND i.indislive AS "isValid",
       i.indrelid = to_regclass($2) AND i.indisunique = $3 AS "isAsked",
       EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid) AS "isBeingBuilt"
     FROM pg_index i WHERE i.indexrelid = to_regclass($1)`,
    [index, asked.table ?? null, asked.unique ?? null],
  )
  return rows[0]
}

/** A session whose program is gone may still be building it, until the server notices. */
async function untilNobodyBuilds({ client, step, migration, run }: Stepping<CreateIndex>) {
  for (let isTold = false; ; isTold = true) {
    const found = await findIndex(client, step)
    if (!found?.isBeingBuilt) return found
    if (run.limit.isOver()) throw outOfTime(`Migration ${migration.name} was not done`, run.limit)
    if (!isTold) run.tell(`Migration ${migration.name} waits for another session that builds ${step.index}`)
    await pause(Math.min(500, run.limit.leftMs()))
  }
}

async function dropIfInvalid({ client, step }: Stepping<CreateIndex>): Promise<void> {
  const found = await findIndex(client, step)
  if (found && !found.isValid) await dropIndex(client, { index: step.index, mostMs: 5_000 })
}

async function dropIndex(client: PoolClient, drop: { index: string; mostMs: number }): Promise<void> {
  await limitStatements(client, { lockWaitMs: 0, mostMs: drop.mostMs })
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${drop.index}`)
}

/**
 * What builds or drops an index concurrently waits for others without keeping anybody waiting, so it waits as long as
 * there is time.
 */
async function send({ client, step, migration, run }: Stepping, { lockWaitMs } = { lockWaitMs: 0 }) {
  await limitStatements(client, { lockWaitMs, mostMs: run.limit.leftMs() })
  const watch = watchBlockers(run.pool, {
    pid: await pidOf(client),
    tell: (blockers) => run.tell(`Migration ${migration.name} waits for ${blockers}`),
  })
  try {
    await client.query(step.sql)
  } catch (error) {
    if (isAlreadyThere(error))
      throw new GaveWay(`Migration ${migration.name} met another session that builds the same`, {
        cause: error,
      })
    throw (
      asGivenWay(error, migration, watch) ??
      asOutOfTime(error, migration, run.limit) ??
      migrationFailure({ name: migration.name, sql: step.sql }, error)
    )
  } finally {
    await watch.stop()
  }
}

// 42P07: a session whose program is gone made it, after we had looked.
const isAlreadyThere = (error: unknown) => error instanceof Error && 'code' in error && error.code === '42P07'

async function limitStatements(
  client: PoolClient,
  { lockWaitMs, mostMs }: { lockWaitMs: number; mostMs: number },
): Promise<void> {
  await client.query(`SET lock_timeout = ${lockWaitMs}; SET statement_timeout = ${mostMs}`)
}
