import { systemRuntime } from '@meridian/payments'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { watchQueue } from '../../src/doors/jobs/keep-jobs-running.ts'
import type { Readiness } from '../../src/doors/operations/health-door.ts'
import { openMetrics } from '../../src/doors/operations/metrics-door.ts'
import { closeServices, openServices } from '../../src/services.ts'
import { startApi } from '../world/api-process.ts'
import { openDatabaseGate } from '../world/database-gate.ts'
import { freePort } from '../world/free-port.ts'
import { call } from '../world/phone.ts'
import { configFor, environmentFor } from '../world/test-world.ts'
import { useDatabase, usePlatform } from '../world/use-opened.ts'

const platform = usePlatform()
const database = useDatabase()

test('a worker serves health and metrics, and nothing of the API', async () => {
  const metricsPort = await freePort()
  const worker = await startApi({
    platform,
    databaseUrl: database.databaseUrl,
    more: { MERIDIAN_ROLE: 'worker', METRICS_PORT: `${metricsPort}` },
  })
  expect((await call(`${worker.url}/healthz`)).status).toBe(200)
  expect(await call(`${worker.url}/readyz`)).toMatchObject({
    status: 200,
    body: { status: 'ready', checks: { jobs: 'ok' } },
  })
  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  expect(await metrics.text()).toContain('meridian_')
  for (const path of [
    '/api/v1/subscription/plans',
    '/api/v1/openapi.json',
    '/trpc/session.me',
    '/console/exports/orders',
  ])
    expect([path, (await call(`${worker.url}${path}`)).status]).toEqual([path, 404])
  for (const path of ['/api/v1/payment/notify', '/api/v1/auth/login'])
    expect([path, (await call(`${worker.url}${path}`, { method: 'POST', body: {} })).status]).toEqual([
      path,
      404,
    ])
  await worker.stop()
})

/** A program with this role in this process, whose clock and whose way to the database are ours. */
async function openRole(role: 'worker' | 'all') {
  const gate = await openDatabaseGate(database.databaseUrl)
  const environment = environmentFor(gate.databaseUrl, 4000, { MERIDIAN_ROLE: role })
  const services = openServices(
    configFor(platform, environment, {}),
    pino({ level: 'silent' }),
    systemRuntime,
  )
  let nowMs = 0
  const queue = watchQueue(
    () => services.database.pool,
    () => nowMs,
  )
  const readiness: Readiness = { draining: false, hasQueue: queue.hasQueue }
  const app = await buildApp(services, { readiness, metrics: openMetrics() })
  onTestFinished(async () => {
    queue.stop()
    await app.close()
    await closeServices(services)
    await gate.cut()
  })
  await queue.looked
  const readyz = async () => {
    const answer = await app.inject('/readyz')
    return { code: answer.statusCode, ...answer.json() }
  }
  return { gate, readyz, readiness, pass: (ms: number) => (nowMs += ms) }
}

test('a worker is ready until its own connections have found no queue for 30 s', async () => {
  const { gate, readyz, readiness, pass } = await openRole('worker')
  await gate.cut()
  pass(30_000)
  expect(await readyz()).toMatchObject({ code: 200, status: 'ready' })
  pass(1)
  expect(await readyz()).toMatchObject({ code: 503, status: 'not_ready', checks: { jobs: 'failed' } })
  await gate.mend()
  await expect.poll(async () => (await readyz()).code).toBe(200)
  readiness.draining = true
  expect(await readyz()).toMatchObject({ code: 503, status: 'draining' })
})

test('a program of both roles also says that its jobs are down', async () => {
  const { gate, readyz, pass } = await openRole('all')
  expect(await readyz()).not.toHaveProperty('jobs')
  await gate.cut()
  pass(30_001)
  expect(await readyz()).toMatchObject({ jobs: 'down' })
})

test('the log says ready when the program is, and why it is not, once per change', async () => {
  const gate = await openDatabaseGate(database.databaseUrl)
  await gate.cut()
  const api = await startApi({
    platform,
    databaseUrl: gate.databaseUrl,
    more: { MERIDIAN_ROLE: 'api', LOG_LEVEL: 'info' },
    awaited: '/healthz',
  })
  const told = () =>
    api
      .output()
      .split('\n')
      .filter((line) => /"msg":"(not )?ready"/.test(line))
      .map((line): { msg: string; reasons?: object } => JSON.parse(line))
  const unready = async () => {
    await expect.poll(async () => (await call(`${api.url}/readyz`)).status, { timeout: 30_000 }).toBe(503)
    for (const _ of Array(3)) expect((await call(`${api.url}/readyz`)).status).toBe(503)
  }
  await unready()
  await expect.poll(told).toEqual([
    expect.objectContaining({
      msg: 'not ready',
      reasons: expect.objectContaining({ database: expect.stringMatching(/ECONNREFUSED|terminated/) }),
    }),
  ])
  await gate.mend()
  await expect.poll(() => told().at(-1)?.msg).toBe('ready')
  await gate.cut()
  await unready()
  await expect.poll(() => told().at(-1)?.msg).toBe('not ready')
  expect(told().filter(({ msg }) => msg === 'ready')).toHaveLength(1)
  await api.stop()
})
