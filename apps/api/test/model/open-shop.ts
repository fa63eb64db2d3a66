import { EventEmitter, once } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { scheduler } from 'node:timers/promises'
import { openPool, type Pool } from '@meridian/db'
import { moveClock } from '@meridian/db/clock'
import { cloneDatabase } from '@meridian/db/testing'
import { systemRuntime } from '@meridian/payments'
import { type Platform, startPlatform } from '@meridian/payments/testing'
import { claimPort } from '@meridian/process'
import { runOnce, type WorkerEvents } from 'graphile-worker'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { openQueue } from '../../src/doors/jobs/job-door.ts'
import { openMetrics } from '../../src/doors/operations/metrics-door.ts'
import { handOverDueJobs } from '../../src/jobs/due-jobs.ts'
import { createOperator } from '../../src/operators/create-operator.ts'
import { openServices, type Services } from '../../src/services.ts'
import { platformKeys } from '../world/platform-keys.ts'
import { configFor, environmentFor, type TestWorld } from '../world/test-world.ts'
import { openVirtualShop } from '../world/virtual-shop.ts'
import { DAY_MS } from './account.ts'
import { openStatementGate, type StatementGate } from './statement-gate.ts'

/** One process of the API with its worker, as far as the database can tell: it may die at any statement. */
export type Replica = {
  url: string
  services: Services
  gate: StatementGate
  /** Does every job that is due, then rests. */
  work: () => Promise<void>
  /** Waits until every request has its answer, also where the client has left. */
  untilAnswered: () => Promise<void>
}

/** Two replicas on one database, the platform, and somebody who looks at the database past both. */
export type Shop = {
  platform: Platform
  replicas: readonly [Replica, Replica]
  pool: Pool
  finance: string
  owner: string
  /** Where pushes go, as the platform knows it; which replica takes one is up to the sequence. */
  pushUrl: string
  /** The clock of the shop, in milliseconds. */
  now: () => number
  passTime: (ms: number) => Promise<void>
  /** What died is started again, and its jobs are free. Answers where it had died. */
  revive: () => Promise<string[]>
  [Symbol.asyncDispose]: () => Promise<void>
}

/** Counts the requests of a server; what it returns waits until each has its answer, also where the client has left. */
function watchAnswers(server: Server): () => Promise<void> {
  const open = new Set<ServerResponse>()
  const answered = new EventEmitter()
  server.on('request', (_, response: ServerResponse) => {
    open.add(response)
    const { end } = response
    response.end = (...words: unknown[]) => {
      open.delete(response)
      answered.emit('one')
      return Reflect.apply(end, response, words)
    }
  })
  return async () => {
    while (open.size > 0) await once(answered, 'one')
  }
}

type Program = { name: string; platform: Platform; groupSize: number }

async function openReplica(databaseUrl: string, { name, platform, groupSize }: Program) {
  const [gate, { port, release }] = await Promise.all([openStatementGate(databaseUrl, name), claimPort()])
  const config = configFor(
    platform,
    environmentFor(gate.databaseUrl, port, { PAYMENT_GROUP_SIZE: `${groupSize}` }),
    {},
  )
  const services = openServices(config, pino({ level: 'silent' }), systemRuntime)
  const metrics = openMetrics()
  const app = await buildApp(services, { readiness: { draining: false }, metrics })
  const untilAnswered = watchAnswers(app.server)
  await app.listen({ port, host: '127.0.0.1' })
  const queue = openQueue(services, metrics)
  const work = async () => {
    const events: WorkerEvents = new EventEmitter()
    // A worker that cannot write down what became of a job may never come to its end.
    const gaveUp = once(events, 'pool:fatalError').then(() => {
      throw new Error('the worker gave up')
    })
    const doAll = async () => {
      await handOverDueJobs(queue.pgPool)
      do await runOnce({ ...queue, events })
      while ((await handOverDueJobs(queue.pgPool)) > 0)
    }
    await Promise.race([doAll(), gaveUp])
  }
  const close = async () => {
    await app.close()
    await queue.pgPool.end()
    await services.database.close()
    await gate.close()
    release()
  }
  return { replica: { url: `http://127.0.0.1:${port}`, services, gate, work, untilAnswered }, close }
}

/** Waits until the database has let go of everything a dead program had begun. */
async function untilForgotten(pool: Pool, program: string): Promise<void> {
  for (;;) {
    const { rowCount } = await pool.query(
      'SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
      [program],
    )
    if (rowCount === 0) return
    await scheduler.wait(2)
  }
}

/** What the living do a minute later: they free what the dead had locked. */
const freeLockedJobs = (pool: Pool) =>
  pool.query(
    'SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT locked_by)) FROM graphile_worker.jobs WHERE locked_by IS NOT NULL',
  )

/** `groupSize` is how many payments a replica commits together at most. */
export async function openShop(groupSize = 32): Promise<Shop> {
  const [database, platform] = await Promise.all([
    cloneDatabase(),
    startPlatform({ keys: platformKeys(), refundsSettleAfterMs: null, billsAtOnce: true }),
  ])
  const opened = await Promise.all(
    ['one', 'other'].map((name) => openReplica(database.databaseUrl, { name, platform, groupSize })),
  )
  const [one, other] = opened
  if (!one || !other) throw new Error('two replicas')
  const replicas = [one.replica, other.replica] as const
  // It only looks on: however busy the machine is, it waits for its connection.
  const observing = { applicationName: 'observer', maxConnections: 2, connectTimeoutMs: 30_000 }
  const pool = openPool(database.databaseUrl, observing)
  const query: TestWorld['query'] = async (sql, values = []) => (await pool.query(sql, values)).rows
  await openVirtualShop({ url: one.replica.url, platform, query })
  const hire = async (role: 'finance' | 'owner') => {
    const email = `${role}@example.com`
    const operator = {
      email,
      name: role,
      role,
      password: 'a-long-enough-password',
      mustChangePassword: false,
    }
    const id = (await createOperator(one.replica.services.database.prisma, operator))?.id ?? ''
    await pool.query(
      `UPDATE operators SET sealed_totp = '', totp_confirmed_at = business_now() WHERE id = $1`,
      [id],
    )
    return id
  }
  const passTime = (ms: number) =>
    platform.moveClock(ms, async () => {
      await moveClock(database.databaseUrl, { byMs: ms })
      for (const { services } of replicas) await services.clock.read()
    })
  const [finance, owner] = [await hire('finance'), await hire('owner')]
  // A second person counts a day after they set their authenticator up.
  await passTime(2 * DAY_MS)
  return {
    platform,
    replicas,
    pool,
    finance,
    owner,
    pushUrl: `${one.replica.url}/api/v1/wechat/push`,
    now: () => one.replica.services.runtime.now().getTime(),
    passTime,
    revive: async () => {
      const places: string[] = []
      for (const [index, { gate }] of replicas.entries()) {
        const place = gate.fell()
        if (place !== null) {
          places.push(place)
          await untilForgotten(pool, index === 0 ? 'one' : 'other')
        }
        gate.mend()
      }
      if (places.length > 0) await freeLockedJobs(pool)
      return places
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(opened.map(({ close }) => close()))
      await pool.end()
      await platform.stop()
      await database.drop()
    },
  }
}
