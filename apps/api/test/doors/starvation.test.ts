import { readFile } from 'node:fs/promises'
import { Report } from '@meridian/contracts'
import { openPool, type PoolClient } from '@meridian/db'
import superjson from 'superjson'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openQueue } from '../../src/doors/jobs/job-door.ts'
import { doorBudgets, doors } from '../../src/platform/limits/open-doors.ts'
import { shareConnections } from '../../src/platform/limits/share-connections.ts'
import { afterPayers } from '../../src/platform/streams/event-loop-turns.ts'
import { atDoor } from '../../src/services.ts'
import { consoleToken, signedInConsole } from '../world/console.ts'
import { openDatabaseGate } from '../world/database-gate.ts'
import { holdAllowance } from '../world/hold-allowance.ts'
import type { Answer } from '../world/phone.ts'
import { useTestWorld } from '../world/use-opened.ts'

let gate: Awaited<ReturnType<typeof openDatabaseGate>>
afterAll(() => gate.cut())
const world = useTestWorld({
  through: async (databaseUrl) => {
    gate = await openDatabaseGate(databaseUrl)
    return gate.databaseUrl
  },
})
let session: string
beforeAll(async () => {
  session = (await signedInConsole(world, { email: 'many@example.com', role: 'viewer' })).token
})

/** Somebody beside us in the database, who holds a lock until the work is over. */
async function whileLocked<Result>(lock: string, work: () => Promise<Result>): Promise<Result> {
  return withOutsider(async (holder) => {
    await holder.query('BEGIN')
    await holder.query(lock)
    return work()
  })
}

async function withOutsider<Result>(work: (outsider: PoolClient) => Promise<Result>): Promise<Result> {
  const pool = openPool(world.behindGate, { maxConnections: 1 })
  const outsider = await pool.connect()
  try {
    return await work(outsider)
  } finally {
    outsider.release(true)
    await pool.end()
  }
}

/** How many of our connections wait for a lock at this moment. */
const waitingConnections = () =>
  withOutsider(async (outsider) => {
    const { rowCount } = await outsider.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'meridian-api'
         AND wait_event_type = 'Lock'`,
    )
    return rowCount ?? 0
  })

/** A new person's order that the platform holds as paid, and its notification, as yet undelivered. */
async function paidInSilence() {
  const phone = await world.phone()
  const purchase = await phone.buys('monthly')
  await phone.pays(purchase, { silent: true })
  const outTradeNo = purchase.order.out_trade_no
  return { phone, outTradeNo, notification: world.platform.notification(outTradeNo) }
}

const deliver = async ({ headers, body }: { headers: Record<string, string>; body: string }) => {
  const started = performance.now()
  const answer = await fetch(`${world.url}/api/v1/payment/notify`, { method: 'POST', headers, body })
  return { status: answer.status, body: await answer.text(), ms: performance.now() - started }
}

async function batchOf(path: string, times: number) {
  const inputs = Object.fromEntries(
    Array.from({ length: times }, (_, at) => [at, superjson.serialize(undefined)]),
  )
  const paths = Array.from({ length: times }, () => path).join(',')
  const query = new URLSearchParams({ batch: '1', input: JSON.stringify(inputs) })
  const answer = await fetch(`${world.url}/trpc/${paths}?${query}`, {
    headers: { 'x-console-token': await consoleToken(world), authorization: `Bearer ${session}` },
  })
  return { status: answer.status, body: await answer.json() }
}

/** On a machine that stands still for three seconds a payer is told to repeat, whoever else waits. */
const takenAtLast = (notification: Parameters<typeof deliver>[0]) =>
  expect.poll(async () => (await deliver(notification)).status).toBe(204)

/** The door gives up after 3 s, a statement of old after 30 s: a machine that pauses is neither. */
const tellsApartMs = 15_000

test('twelve deliveries of one locked order take one connection, are told to repeat within 4 s, and nobody else waits', async () => {
  const [locked, other] = [await paidInSilence(), await paidInSilence()]
  await whileLocked(
    `SELECT 1 FROM orders WHERE out_trade_no = '${locked.outTradeNo}' FOR UPDATE`,
    async () => {
      const delivering = Promise.all(Array.from({ length: 12 }, () => deliver(locked.notification)))
      await expect.poll(waitingConnections).toBe(1)
      await takenAtLast(other.notification)
      expect(await waitingConnections()).toBeLessThanOrEqual(1)
      for (const { status, body, ms } of await delivering) {
        expect([status, JSON.parse(body).code]).toEqual([503, 'FAIL'])
        expect(ms).toBeLessThan(tellsApartMs)
      }
    },
  )
  await takenAtLast(locked.notification)
  expect((await locked.phone.subscription()).remaining_days).toBe(30)
})

test('a database that does not answer any more is told as 503 within 4 s, and the repeat is applied', async () => {
  const { phone, notification } = await paidInSilence()
  gate.freeze()
  try {
    const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(notification)))
    for (const { status, body, ms } of answers) {
      expect([status, JSON.parse(body).code]).toEqual([503, 'FAIL'])
      expect(ms).toBeLessThan(tellsApartMs)
    }
  } finally {
    gate.thaw()
  }
  await takenAtLast(notification)
  expect((await phone.subscription()).remaining_days).toBe(30)
})

test('other requests wait for one that pays, for milliseconds, and not for one that was answered or hung up', async () => {
  const { outTradeNo, notification } = await paidInSilence()
  const ask = async () => {
    const started = performance.now()
    await fetch(`${world.url}/healthz`)
    return performance.now() - started
  }
  const hangUp = new AbortController()
  await whileLocked(`SELECT 1 FROM orders WHERE out_trade_no = '${outTradeNo}' FOR UPDATE`, async () => {
    const { headers, body } = notification
    const notifying = { method: 'POST', headers, body, signal: hangUp.signal }
    const delivering = fetch(`${world.url}/api/v1/payment/notify`, notifying)
    await expect.poll(waitingConnections).toBe(1)
    const waited = await ask()
    expect(waited).toBeGreaterThan(9)
    expect(waited).toBeLessThan(2_000)
    hangUp.abort()
    await expect(delivering).rejects.toThrow('aborted')
  })
  await takenAtLast(notification)
  await expect.poll(afterPayers).toBeUndefined()
})

test('a console and phones that wait with all their connections keep no payer waiting', async () => {
  const { phone, notification } = await paidInSilence()
  const { shares } = world.services
  let over = false
  const untilOver = async (ask: () => Promise<{ status: number }>) => {
    const answers: { status: number }[] = []
    do answers.push(await ask())
    while (!over)
    return answers
  }
  const waiting = await whileLocked('LOCK TABLE diagnosis_versions IN ACCESS EXCLUSIVE MODE', async () => {
    const asked = [
      ...Array.from({ length: 20 }, () =>
        untilOver(() => phone.call('/diagnosis-config', { undeclared: true })),
      ),
      ...Array.from({ length: 20 }, () => untilOver(() => batchOf('diagnosis.desk', 2))),
    ]
    try {
      await expect.poll(waitingConnections).toBeGreaterThanOrEqual(shares.phones + shares.console)
      await takenAtLast(notification)
      await expect.poll(async () => (await phone.purchaseAnswer('yearly')).status).toBe(201)
    } finally {
      over = true
    }
    return (await Promise.all(asked)).flat()
  })
  for (const { status } of waiting) expect([200, 207, 503]).toContain(status)
})

/** Reads of one report by both doors that show it, each with what became of it. */
async function readersOfReport() {
  const phone = await world.phone()
  const times = { started_at: '2026-11-01T08:00:00Z', ended_at: '2026-11-01T08:05:00Z' }
  const report = { client_report_id: 'r', kind: 'scan', ...times, summary: {}, measurements: [] }
  const stored = await phone.call('/reports', { method: 'POST', body: { score: 71.5, ...report } })
  const { id } = Report.parse(stored.body)
  const { token } = await signedInConsole(world, { email: `${id}@example.com`, role: 'owner' })
  const headers = {
    'x-console-token': await consoleToken(world),
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  }
  const body = JSON.stringify(superjson.serialize({ id }))
  const outcomeOf = async ({ status, headers }: Response | Answer, problem: unknown) => ({
    status,
    code: status === 200 ? null : z.object({ code: z.string() }).parse(problem).code,
    retryAfter: Number(headers.get('retry-after')),
  })
  return {
    byPhone: async () => {
      const answer = await phone.call(`/reports/${id}`)
      return outcomeOf(answer, answer.body)
    },
    byConsole: async () => {
      const answer = await fetch(`${world.url}/trpc/report.open`, { method: 'POST', headers, body })
      const { error } = Object(await answer.json())
      return outcomeOf(answer, error?.json.data.problem)
    },
  }
}

test('two big reads at a time hold two of the three connections of their door, whichever doors ask', async () => {
  const { byPhone, byConsole } = await readersOfReport()
  const reading = await whileLocked('LOCK TABLE reports IN ACCESS EXCLUSIVE MODE', async () => {
    const asked = Array.from({ length: 4 }, () => [byPhone(), byConsole()]).flat()
    const seen: number[] = []
    for (let looks = 0; looks < 10; looks += seen.includes(2) ? 1 : 0) seen.push(await waitingConnections())
    expect(Math.max(...seen)).toBe(2)
    return asked
  })
  for (const { status } of await Promise.all(reading)) expect([200, 503]).toContain(status)
})

test('a hundred big reads wait for their turn, and more are told when to come back', async () => {
  const { byPhone, byConsole } = await readersOfReport()
  const { letGo } = holdAllowance(world.services.bigReads, 2)
  const outcomes: Awaited<ReturnType<typeof byPhone>>[] = []
  const reading = Array.from({ length: 52 }, () => [byPhone(), byConsole()])
    .flat()
    .map(async (one) => void outcomes.push(await one))
  await expect.poll(() => outcomes.length).toBe(4)
  const refused = { status: 503, code: 'service_unavailable', retryAfter: 2 }
  expect(outcomes).toEqual([refused, refused, refused, refused])
  await letGo()
  await Promise.all(reading)
  expect(outcomes.slice(4).map(({ status }) => status)).toEqual(Array(100).fill(200))
})

test('a hundred long bodies wait for their turn, and more are told when to come back', async () => {
  const phone = await world.phone()
  const send = async () => {
    const { status, headers } = await phone.call('/reports', {
      method: 'POST',
      body: { padding: 'x'.repeat(32 * 1024) },
    })
    return { status, retryAfter: headers.get('retry-after') }
  }
  const { letGo } = holdAllowance(world.services.longBodies, 1)
  const outcomes: Awaited<ReturnType<typeof send>>[] = []
  const sending = Array.from({ length: 104 }, async () => void outcomes.push(await send()))
  await expect.poll(() => outcomes.length).toBe(4)
  expect(outcomes).toEqual(Array(4).fill({ status: 503, retryAfter: '2' }))
  await letGo()
  await Promise.all(sending)
  expect(outcomes.slice(4).map(({ status }) => status)).toEqual(Array(100).fill(400))
})

test('a process opens as many connections as the documentation says', async () => {
  const text = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `(\w+)` +\|[^|]+\| ([\d–]+) +\| ([\d–]+) +\| ([\d–]+) +\|.* s +\|/gm)]
  const roles = ['api', 'worker', 'all'] as const
  for (const [at, role] of roles.entries()) {
    const said = rows.flatMap(([, pool, ...columns]) =>
      columns[at] === '–' ? [] : [[pool, Number(columns[at])] as const],
    )
    expect(shareConnections(10, role)).toMatchObject(Object.fromEntries(said))
    expect(said.reduce((sum, [, count]) => sum + count, 0)).toBe(10)
  }
  const { shares, doors: opened, alarmPool } = world.services
  const { DATABASE_POOL_SIZE, MERIDIAN_ROLE } = world.services.config
  expect(shares).toEqual(shareConnections(DATABASE_POOL_SIZE, MERIDIAN_ROLE))
  for (const door of doors) expect(opened[door].pool.options.max).toBe(shares[door])
  expect(alarmPool.options.max).toBe(shares.alarms)
  expect(openQueue(world.services, world.metrics).pgPool.options.max).toBe(shares.queue + 1)
})

test('however few connections a process may open, it opens no more, and each kind of work has one', () => {
  for (const role of ['api', 'worker', 'all'] as const)
    for (let size = 6; size <= 40; size++) {
      const { payments, phones, console, jobs, queue, alarms } = shareConnections(size, role)
      const opened = role === 'worker' ? [] : [payments, phones, console]
      const used = [...opened, jobs, alarms, ...(role === 'api' ? [] : [queue])]
      expect(Math.min(...used)).toBeGreaterThan(0)
      expect(used.reduce((sum, count) => sum + count, 0)).toBe(size)
    }
})

test('without a replica a process opens nothing for one, and each door leads to the primary', () => {
  const { replica, doors: opened } = world.services
  expect(replica).toBeNull()
  for (const door of doors) expect(atDoor(world.services, door).database).toBe(opened[door])
})

test('each door has limits that the server itself keeps, or those of its user where a pooler lends the sessions', async () => {
  const isPooled = world.services.config.DATABASE_DIRECT_URL !== undefined
  for (const door of doors) {
    const { rows } = await world.services.doors[door].pool.query(
      `SELECT name, setting::int FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout',
         'idle_in_transaction_session_timeout') ORDER BY name`,
    )
    const { idleInTransactionMs, lockMs, statementMs } = doorBudgets[door]
    const own = isPooled ? [0, 0, 0] : [idleInTransactionMs, lockMs, statementMs]
    expect(rows.map(({ setting }) => setting)).toEqual(own)
  }
})

test('a batch holds at most ten calls, and each of them counts', async () => {
  const refused = await batchOf('operator.context', 11)
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({
    code: 'invalid_request',
    errors: [{ path: 'batch', message: expect.stringContaining('10') }],
  })
  const { token } = await signedInConsole(world, { email: 'counted@example.com', role: 'viewer' })
  session = token
  const statuses: number[] = []
  for (let turn = 0; turn < 60; turn++) statuses.push((await batchOf('operator.context', 10)).status)
  expect(new Set(statuses)).toEqual(new Set([200]))
  const beyond = await batchOf('operator.context', 1)
  expect(beyond.status).toBe(429)
})
