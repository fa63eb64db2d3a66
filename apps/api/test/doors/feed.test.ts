import type { FeedKind, FeedRow } from '@meridian/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../../src/platform/ids/new-id.ts'
import { type Console, problemOf } from '../world/console.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import { somebody } from '../world/somebody.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'
import { bind, newSerial } from '../world/wearable.ts'

const world = useTestWorld()
const owner = useConsole(world, 'owner')
const operator = useConsole(world, 'operator')
const viewer = useConsole(world, 'viewer')

type Kinds = { kinds?: FeedKind[] }

/** The whole feed, read page by page. */
async function readFeed(desk: Console, id: string, { limit, ...narrowed }: Kinds & { limit: number }) {
  const rows: FeedRow[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await desk.customer.feed.query({ id, limit, ...narrowed, ...(cursor && { cursor }) })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    rows.push(...page.items)
    cursor = page.nextCursor
  }
  return rows
}

/** What plain SQL says that happened, table by table and without an order. */
const happened = {
  money: `SELECT CASE e.kind WHEN 'create' THEN 'o' || lpad(o.id::text, 20, '0') WHEN 'pay' THEN 'p' || lpad(o.id::text, 20, '0')
      ELSE 'm' || lpad(e.id::text, 20, '0') END AS id, e.at, e.kind || ' ' || o.out_trade_no AS what
    FROM order_events e JOIN orders o ON o.id = e.order_id WHERE o.user_id = $1
      AND e.kind IN ('create', 'pay', 'close', 'park', 'decide', 'refund')`,
  access: `SELECT 'g' || lpad(id::text, 20, '0') AS id, created_at AS at, kind || ' ' || days AS what FROM grants WHERE user_id = $1`,
  bound: `SELECT 'b' || lpad(id::text, 20, '0') AS id, bound_at AS at, serial_number || ' ' AS what FROM bindings WHERE user_id = $1`,
  unbound: `SELECT 'u' || lpad(id::text, 20, '0') AS id, unbound_at AS at, serial_number || ' ' || end_reason AS what
    FROM bindings WHERE user_id = $1 AND unbound_at IS NOT NULL`,
  reports: `SELECT 'r' || id AS id, started_at AS at, kind::text AS what FROM reports WHERE user_id = $1`,
  messages: `SELECT 'e' || lpad(id::text, 20, '0') AS id, at, coalesce(failure, 'sent') AS what FROM message_attempts WHERE user_id = $1`,
  sessions: `SELECT 's' || id AS id, created_at AS at, '' AS what FROM token_families WHERE user_id = $1`,
  notes: `SELECT 'n' || lpad(id::text, 20, '0') AS id, created_at AS at, text AS what FROM notes WHERE user_id = $1`,
  account: `SELECT CASE action WHEN 'user.reveal' THEN 'l' ELSE 'a' END || lpad(id::text, 20, '0') AS id, at, action AS what FROM audit_entries
    WHERE subject_type = 'user' AND subject_id = $1::text AND action LIKE 'user.%'`,
} as const

type Happened = { id: string; at: Date; what: string }

const whatOf = ({ item }: FeedRow): string => {
  switch (item.kind) {
    case 'money':
      return `${item.event} ${item.outTradeNo}`
    case 'access':
      return `${item.grant} ${item.days}`
    case 'devices':
      return `${item.serialNumber} ${item.ended ?? ''}`
    case 'reports':
      return item.report
    case 'messages':
      return item.failure ?? 'sent'
    case 'sessions':
      return ''
    case 'notes':
      return item.text ?? ''
    case 'account':
      return item.action
  }
}

const later = (one: Happened, other: Happened) =>
  other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : -1)

async function readHappened(userId: string, tables: readonly (keyof typeof happened)[]) {
  const rows = await Promise.all(tables.map((table) => world.query<Happened>(happened[table], [userId])))
  return rows.flat().sort(later)
}

const everything = Object.keys(happened).filter((name): name is keyof typeof happened => name in happened)

/** At one of few instants, so that many things share theirs. */
const Moment = fc.integer({ min: 0, max: 3 }).map((day) => `2026-11-0${day + 1}T08:00:00Z`)
const plants = {
  messages: `INSERT INTO message_attempts (user_id, template, kind, failure, at) VALUES ($1::uuid, 't', 'reminder', '43101', $2::timestamptz)`,
  sessions: `INSERT INTO token_families (id, user_id, created_at, expires_at) VALUES ($3::uuid, $1::uuid, $2::timestamptz, $2::timestamptz + interval '1 day')`,
  notes: `INSERT INTO notes (subject_kind, subject_id, user_id, operator_id, text, created_at)
    SELECT 'user', $1::uuid::text, $1::uuid, id, 'note ' || $3::uuid, $2::timestamptz FROM operators LIMIT 1`,
  reports: `INSERT INTO reports (id, user_id, client_report_id, kind, started_at, ended_at, summary, measurements)
    VALUES ($3::uuid, $1::uuid, $3::uuid::text, 'scan', $2::timestamptz, $2::timestamptz, '{}', '[]')`,
  bindings: `WITH device AS (INSERT INTO devices (serial_number) VALUES (upper(left(md5($3::uuid::text), 16))) RETURNING serial_number)
    INSERT INTO bindings (serial_number, user_id, bound_at, unbound_at, end_reason)
    SELECT serial_number, $1::uuid, $2::timestamptz - interval '1 day', $2::timestamptz, 'user' FROM device`,
  account: `INSERT INTO audit_entries (at, operator_id, action, subject_type, subject_id, address, request_id)
    SELECT $2::timestamptz, id, 'user.reveal', 'user', $1::uuid::text, '', $3::uuid::text FROM operators LIMIT 1`,
  events: `INSERT INTO order_events (order_id, at, kind, channel, detail)
    SELECT id, $2::timestamptz, 'park', 'console', jsonb_build_object('planted', $3::uuid::text) FROM orders WHERE user_id = $1::uuid LIMIT 1`,
} as const
type Planted = keyof typeof plants
const Plant = fc.record({
  table: fc.constantFrom(...Object.keys(plants).filter((name): name is Planted => name in plants)),
  at: Moment,
})

/** A parameter that a statement does not use would have no type. */
const plant = (userId: string, { table, at }: { table: Planted; at: string }) => {
  const values = [userId, at, newId()]
  return world.query(plants[table], plants[table].includes('$3') ? values : values.slice(0, 2))
}

test('the feed is, item for item, what the tables say, and pages at equal times neither lose nor repeat', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(Plant, { minLength: 10, maxLength: 60 }),
      fc.constantFrom(1, 2, 3, 7, 20),
      async (planted, limit) => {
        const { phone, userId } = await somebody(world)
        const purchase = await phone.buys('monthly')
        await phone.pays(purchase)
        await doDueJobs(world)
        for (const one of planted) await plant(userId, one)
        const feed = await readFeed(owner, userId, { limit })
        const expected = await readHappened(userId, everything)
        expect(feed.map((row) => [row.id, row.at, whatOf(row)])).toEqual(
          expected.map(({ id, at, what }) => [id, at, what]),
        )
      },
    ),
    { numRuns: 6 },
  )
})

test('it is narrowed to kinds, and read back from where one came', async () => {
  const { phone, userId } = await somebody(world)
  await bind(phone, newSerial())
  await phone.pays(await phone.buys('monthly'))
  const money = await readFeed(owner, userId, { limit: 1, kinds: ['money'] })
  expect(money.map(({ item }) => item.kind === 'money' && item.event)).toEqual(['pay', 'create'])
  const both = await readFeed(owner, userId, { limit: 20, kinds: ['devices', 'access'] })
  expect(both.map(({ item }) => item.kind).sort()).toEqual(['access', 'devices'])
  const first = await owner.customer.feed.query({ id: userId, limit: 1 })
  const second = await owner.customer.feed.query({ id: userId, limit: 1, cursor: first.nextCursor ?? '' })
  const back = await owner.customer.feed.query({ id: userId, limit: 1, cursor: second.previousCursor ?? '' })
  expect(back.items).toEqual(first.items)
})

test('reports are for who may read them, and who looked at an identity for who reads the whole audit log', async () => {
  const { userId } = await somebody(world)
  await plant(userId, { table: 'reports', at: '2026-11-01T08:00:00Z' })
  await plant(userId, { table: 'account', at: '2026-11-01T08:00:00Z' })
  const kindsFor = async (desk: Console) =>
    (await readFeed(desk, userId, { limit: 20 }))
      .map(({ item }) => item.kind)
      .filter((kind) => kind !== 'sessions')
  expect(await kindsFor(viewer)).toEqual([])
  expect(await kindsFor(operator)).toEqual(['reports'])
  expect(await kindsFor(owner)).toEqual(['reports', 'account'])
  expect(await readFeed(viewer, userId, { limit: 20, kinds: ['reports'] })).toEqual([])
})

test('what a customer paid and got back is what their orders say', async () => {
  const { phone, userId } = await somebody(world)
  expect(await viewer.customer.money.query({ id: userId })).toEqual({
    paidFen: 0,
    refundedFen: 0,
    paidOrders: 0,
    firstPaidAt: null,
    lastPaidAt: null,
  })
  for (const turn of [1, 2]) await phone.pays(await phone.buys('monthly', `turn-${turn}`))
  await phone.buys('yearly')
  const [said] = await world.query<{ fen: number; first: Date; last: Date }>(
    `SELECT sum(amount_fen)::int AS fen, min(paid_at) AS first, max(paid_at) AS last FROM orders
     WHERE user_id = $1 AND paid_at IS NOT NULL`,
    [userId],
  )
  expect(await viewer.customer.money.query({ id: userId })).toEqual({
    paidFen: said?.fen,
    refundedFen: 0,
    paidOrders: 2,
    firstPaidAt: said?.first,
    lastPaidAt: said?.last,
  })
})

test('a cursor that is not of the feed is refused', async () => {
  const { userId } = await somebody(world)
  const forged = JSON.stringify(['2026-11-01 08:00:00+00', "x' OR 1", 'next'])
  const cursor = Buffer.from(forged).toString('base64url')
  expect(await problemOf(owner.customer.feed.query({ id: userId, cursor }))).toBe('invalid_request')
})
