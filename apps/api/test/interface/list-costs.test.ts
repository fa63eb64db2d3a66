import {
  AuditListQuery,
  DeviceListQuery,
  EXACT_COUNT_LIMIT,
  InboxPermission,
  MOST_TAGS_OF_SUBJECT,
  NotificationListQuery,
  OrderListQuery,
  type PinKind,
  RefundListQuery,
  RejectedListQuery,
  ReportListQuery,
  SubscriptionListQuery,
  UserListQuery,
} from '@meridian/contracts'
import { openPool, type Pool } from '@meridian/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { listAudit } from '../../src/audit/list-audit.ts'
import { readFacts } from '../../src/checklist/show-checklist.ts'
import { todayInChina } from '../../src/dashboard/days.ts'
import { countDesk, countWaiting } from '../../src/dashboard/show-desk.ts'
import { listDevices } from '../../src/devices/list-devices.ts'
import { countInbox, listInbox } from '../../src/inbox/list-inbox.ts'
import { listNotifications } from '../../src/notifications/read-inbox.ts'
import { listRejections } from '../../src/notifications/rejected-deliveries.ts'
import { countOrders, listOrders } from '../../src/orders/list-orders.ts'
import { listOwnOrders } from '../../src/orders/read-orders.ts'
import { toCursor } from '../../src/platform/paging/keyset.ts'
import { countRefunds, listRefunds } from '../../src/refunds/list-refunds.ts'
import { listOwnReports } from '../../src/reports/own-reports.ts'
import { listReports } from '../../src/reports/show-reports.ts'
import { showAtHand } from '../../src/search/at-hand.ts'
import { findAnything } from '../../src/search/find-anything.ts'
import { listSubscriptions } from '../../src/subscriptions/list-subscriptions.ts'
import { sumSubscriptions } from '../../src/subscriptions/sum-subscriptions.ts'
import { listUsers } from '../../src/users/list-users.ts'
import { cloneShop, findHeavyUser } from '../world/plant-shop.ts'

type Asked = { text: string; values: unknown[] }

/** What a plan says of itself, as far as we judge it. */
const PlanNode = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  get Plans() {
    return z.array(PlanNode).default([])
  },
})
type PlanNode = z.infer<typeof PlanNode>

let pool: Pool
let heavyUserId: string
let drop: () => Promise<void>
let explain: (asked: Asked) => Promise<PlanNode[]>
const asked: Asked[] = []

beforeAll(async () => {
  const database = await cloneShop()
  pool = openPool(database.databaseUrl, { maxConnections: 1 })
  heavyUserId = await findHeavyUser(pool)
  const client = await pool.connect()
  const query = client.query.bind(client)
  const listen = (config: unknown, ...rest: unknown[]) => {
    const statement = z.object({ text: z.string(), values: z.array(z.unknown()) }).safeParse(config).data
    if (statement) asked.push(statement)
    return Reflect.apply(query, client, [config, ...rest])
  }
  explain = async ({ text, values }) => {
    const { rows } = await query({ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values })
    return nodesOf(PlanNode.parse(rows[0]['QUERY PLAN'][0].Plan))
  }
  Object.assign(client, { query: listen })
  client.release()
  drop = async () => {
    await pool.end()
    await database.drop()
  }
}, 900_000)
afterAll(() => drop())

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...plan.Plans.flatMap(nodesOf)]

/** Read as a whole whatever the plan: there are a dozen of each. */
const small = new Set([
  ...['operators', 'settings', 'plans', 'rejection_counts', 'tags'],
  ...['alert_channels', 'backups', 'checklist_dismissals'],
])
const isLarge = (node: PlanNode) => !small.has(node['Relation Name'] ?? '')
const largestPage = 22

async function plansOf(list: () => Promise<unknown>): Promise<PlanNode[]> {
  asked.length = 0
  await list()
  return (await Promise.all(asked.map(explain))).flat()
}

/** The tags of one row of a page, which are told by their label. */
const isOfOneRow = (node: PlanNode) =>
  node['Actual Rows'] <= MOST_TAGS_OF_SUBJECT && node['Actual Loops'] <= largestPage

/** What reads a table from end to end, or puts more than one page into an order. */
const scansAndSorts = (nodes: PlanNode[]) =>
  nodes
    .filter(
      (node) =>
        (isLarge(node) && node['Node Type'] === 'Seq Scan') ||
        (node['Node Type'].endsWith('Sort') &&
          node.Plans.some(
            (input) => input['Actual Rows'] * input['Actual Loops'] > largestPage && !isOfOneRow(input),
          )),
    )
    .map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`)

const rowsRead = (nodes: PlanNode[]) =>
  nodes
    .filter((node) => node['Relation Name'] !== undefined && isLarge(node))
    .reduce(
      (sum, node) => sum + (node['Actual Rows'] + node['Rows Removed by Filter']) * node['Actual Loops'],
      0,
    )

const everybody = { onlyOperatorId: null }
const since = new Date(Date.now() - 40 * 86_400_000)
const until = new Date(Date.now() - 20 * 86_400_000)

/** A list, by which filters it is narrowed, and how a page of it is read from a cursor. */
type Page = { items: unknown[]; nextCursor: string | null }
type Listing = (cursor?: string) => Promise<Page>
const pagesOf =
  <Query>(list: (pool: Pool, query: Query) => Promise<Page>, shape: { parse: (query: object) => Query }) =>
  (query: object): Listing =>
  (cursor) =>
    list(pool, shape.parse({ ...query, cursor }))
const orders = pagesOf(listOrders, OrderListQuery)
const users = pagesOf(listUsers, UserListQuery)
const subscriptions = pagesOf(listSubscriptions, SubscriptionListQuery)
const refunds = pagesOf(listRefunds, RefundListQuery)
const devices = pagesOf(listDevices, DeviceListQuery)
const reports = pagesOf(listReports, ReportListQuery)
const inbox = pagesOf(listNotifications, NotificationListQuery)
const rejections = pagesOf(listRejections, RejectedListQuery)
const audit = pagesOf((pool, query: AuditListQuery) => listAudit(pool, query, everybody), AuditListQuery)

const lists: Record<string, Listing> = {
  "a user's orders": (cursor) => listOwnOrders(pool, { userId: heavyUserId, limit: 20, cursor }),
  "a user's reports": (cursor) => listOwnReports(pool, { userId: heavyUserId, limit: 20, cursor }),
  "a user's scans": (cursor) =>
    listOwnReports(pool, { userId: heavyUserId, kind: 'scan', limit: 20, cursor }),
  'orders, newest first': orders({}),
  'orders, oldest first': orders({ sort: 'oldest' }),
  'orders by amount': orders({ sort: 'amount_desc' }),
  'paid orders': orders({ status: 'paid' }),
  'closed orders of a time': orders({ status: 'closed', from: since, to: until }),
  'orders of which money goes back': orders({ mark: 'refunding' }),
  'orders of which a part went back': orders({ mark: 'partly_refunded' }),
  'odd orders of a time': orders({ mark: 'parked', from: since, to: until }),
  'orders of one plan': orders({ planCode: 'yearly' }),
  'paid orders of one plan and a time': orders({
    status: 'paid',
    planCode: 'yearly',
    from: since,
    to: until,
  }),
  'orders paid in a time': orders({ paidFrom: since, paidTo: until }),
  'orders of a time paid through one channel': orders({
    confirmedBy: 'notification',
    paidFrom: since,
    paidTo: until,
  }),
  'orders of a time that were paid, whatever became of them': orders({
    reached: 'paid',
    from: since,
    to: until,
  }),
  'orders with a tag': orders({ tag: '1' }),
  'orders with a tag, oldest first': orders({ tag: '1', sort: 'oldest' }),
  'paid orders with a tag, of a time': orders({ tag: '1', status: 'paid', from: since, to: until }),
  users: users({}),
  'users with a tag': users({ tag: '1' }),
  'active users': users({ state: 'active' }),
  'users of a time': users({ from: since, to: until }),
  'users by what every nickname has': users({ search: 'ni' }),
  subscriptions: subscriptions({}),
  'active subscriptions': subscriptions({ state: 'active' }),
  'subscriptions that end within a week': subscriptions({ daysLeft: 7 }),
  'expired subscriptions, latest first': subscriptions({ state: 'expired', sort: 'latest' }),
  refunds: refunds({}),
  'refunds under way': refunds({ status: 'processing' }),
  'refunds of a time': refunds({ from: since, to: until }),
  'refunds of one channel': refunds({ channel: 'virtual' }),
  'refunds of one channel under way': refunds({ channel: 'jsapi', status: 'processing' }),
  devices: devices({}),
  'devices with a tag': devices({ tag: '1' }),
  'bound devices': devices({ state: 'bound' }),
  'devices of the inventory': devices({ inventory: true }),
  reports: reports({}),
  treatments: reports({ kind: 'treatment' }),
  'scans of a time': reports({ kind: 'scan', from: since, to: until }),
  inbox: inbox({}),
  'notifications that changed nothing': inbox({ outcome: 'already_paid' }),
  'notifications of a time': inbox({ from: since, to: until }),
  'refused deliveries': rejections({}),
  'stale deliveries': rejections({ reason: 'stale' }),
  'audit log': audit({}),
  'acts of one operator': audit({ operator: 'operator3@shop.test' }),
  'acts of one kind': audit({ action: 'act.3', from: since, to: until }),
}

test.each(Object.entries(lists))('%s: an index gives each page, in its order', async (_name, list) => {
  const first = await plansOf(() => list())
  expect(scansAndSorts(first)).toEqual([])
  const { nextCursor } = await list()
  const second = await plansOf(() => list(nextCursor ?? ''))
  expect(nextCursor).not.toBeNull()
  expect(scansAndSorts(second)).toEqual([])
})

const pageSize = 20
const deepPage = 10_000

/** Where page 10,000 begins, or the last page of a shorter list. */
async function deepCursor(from: string): Promise<string> {
  const { rows } = await pool.query<{ at: string; id: string }>(
    `SELECT (at AT TIME ZONE 'UTC')::text || '+00' AS at, id::text FROM (${from}) list ORDER BY 1 DESC, 2 DESC
     OFFSET least(${(deepPage - 1) * pageSize - 1}, (SELECT count(*) FROM (${from}) list) - ${pageSize} - 1) LIMIT 1`,
  )
  return toCursor([rows[0]?.at ?? '', rows[0]?.id ?? ''])
}

test.each([
  ['orders', 'orders, newest first', 'SELECT created_at AS at, id FROM orders'],
  ['reports', 'reports', 'SELECT started_at AS at, id FROM reports'],
  [
    'orders with a tag',
    'orders with a tag',
    "SELECT subject_created_at AS at, subject_id AS id FROM taggings WHERE tag_id = 1 AND subject_kind = 'order'",
  ],
  ["a user's orders", "a user's orders", `SELECT created_at AS at, id FROM orders WHERE user_id = '%'`],
  ["a user's reports", "a user's reports", `SELECT started_at AS at, id FROM reports WHERE user_id = '%'`],
])('page 10,000 of %s reads as many rows as page 1', async (_what, name, from) => {
  const list = lists[name] ?? expect.fail(`there is no list ${name}`)
  const cursor = await deepCursor(from.replace('%', heavyUserId))
  expect((await list(cursor)).items).toHaveLength(pageSize)
  const [first, deep] = [await plansOf(() => list()), await plansOf(() => list(cursor))]
  expect(scansAndSorts(deep)).toEqual([])
  expect(rowsRead(deep)).toBeLessThanOrEqual(rowsRead(first) * 1.5)
})

const tabs: Record<string, () => Promise<unknown>> = {
  orders: () => countOrders(pool, {}),
  'orders of a time': () => countOrders(pool, { from: since, to: until }),
  refunds: () => countRefunds(pool, {}),
  'the desk': () => countDesk(pool),
}

test.each(Object.entries(tabs))(
  'the tabs of %s: one statement counts each out of an index, and stops at 10,001',
  async (_name, count) => {
    const nodes = await plansOf(count)
    expect(asked).toHaveLength(1)
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    expect(Math.max(...nodes.map((node) => rowsRead([node])))).toBeLessThan(EXACT_COUNT_LIMIT * 1.2)
  },
)

test('the sums of subscriptions are taken out of the index of their ends, and stop at 10,001', async () => {
  const nodes = await plansOf(() => sumSubscriptions(pool, {}))
  expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
  expect(Math.max(...nodes.map((node) => rowsRead([node])))).toBeLessThan(EXACT_COUNT_LIMIT * 1.2)
})

test('the facts of the checklist are the first entries of indexes', async () => {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM operators LIMIT 1')
  const asking = { operatorId: rows[0]?.id ?? '', isVirtual: true }
  expect(await readFacts(pool, asking)).toMatchObject({ healed: null, sale: expect.any(Date) })
  const nodes = await plansOf(() => readFacts(pool, asking))
  expect(scansAndSorts(nodes)).toEqual([])
  expect(rowsRead(nodes)).toBeLessThan(10)
})

const looker = {
  operatorId: '01900000-0000-7000-8000-000000000000',
  permissions: InboxPermission.options,
  names: 'masked' as const,
}
const queue: Record<string, () => Promise<unknown>> = {
  'a page of it': () => listInbox(pool, { view: 'all', limit: 20 }, looker),
  'what of it is for one operator': () => listInbox(pool, { view: 'you', limit: 5 }, looker),
  'its counts': () => countInbox(pool, { view: 'you' }, looker),
  'its count in the navigation': () => countWaiting(pool, looker),
}

test.each(Object.entries(queue))(
  'the queue of what waits, %s: one statement reads open rows alone, by their indexes',
  async (_name, read) => {
    const nodes = await plansOf(read)
    expect(asked).toHaveLength(1)
    const large = ['orders', 'refunds', 'alerts']
    const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan' && rowsRead([node]) > 0)
    expect(scanned.filter((node) => large.includes(node['Relation Name'] ?? ''))).toEqual([])
    expect(Math.max(...nodes.map((node) => rowsRead([node])))).toBeLessThan(EXACT_COUNT_LIMIT * 1.2)
  },
)

const orderNumber = '(SELECT out_trade_no FROM orders WHERE id = 777)'
const textOf = async (expression: string) => {
  const { rows } = await pool.query<{ value: string }>(`SELECT ${expression} AS value`)
  return rows[0]?.value ?? ''
}
const found: Record<string, { of: string; list: (query: object) => Listing }> = {
  'an order by its number': { of: orderNumber, list: orders },
  'an order by its transaction': { of: "'T777'", list: orders },
  'the orders of a user': { of: '(SELECT user_id FROM orders WHERE id = 777)', list: orders },
  'a user': { of: '(SELECT id FROM users LIMIT 1)', list: users },
  'a user by a part of their nickname': { of: "'ick 777'", list: users },
  'the subscription of a user': { of: '(SELECT id FROM users LIMIT 1)', list: subscriptions },
  'a refund by its number': { of: '(SELECT out_refund_no FROM refunds WHERE id = 777)', list: refunds },
  'a refund by its order': { of: orderNumber, list: refunds },
  'a refund by an attempt of its order': {
    of: '(SELECT number FROM order_attempts WHERE order_id = 780)',
    list: refunds,
  },
  "a refund by the platform's number": { of: "'P777'", list: refunds },
  'a device': { of: "'SN00000777'", list: devices },
  'the devices of a user': { of: '(SELECT user_id FROM bindings LIMIT 1)', list: devices },
  'the reports of a user': { of: '(SELECT user_id FROM orders WHERE id = 777)', list: reports },
  'the reports of a device': { of: "'SN00000077'", list: reports },
  'a notification': { of: "'EV-777'", list: inbox },
  'the notifications of an order': { of: orderNumber, list: inbox },
  'the acts on a subject': { of: "'s777'", list: audit },
  'the acts of a request': { of: "'r777'", list: audit },
}

test.each(Object.entries(found))('%s: is found without reading others', async (_name, { of, list }) => {
  const search = await textOf(of)
  const { items } = await list({ search })()
  expect(items.length).toBeGreaterThan(0)
  const nodes = await plansOf(() => list({ search })())
  expect(nodes.filter((node) => isLarge(node) && node['Node Type'] === 'Seq Scan')).toEqual([])
  expect(rowsRead(nodes)).toBeLessThan(200)
})

const lookedAt = 200
const orderDay =
  "(SELECT to_char(created_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD') FROM orders WHERE id = 777)"
const orderAmount = '(SELECT (amount_fen / 100.0)::numeric(9, 2)::text FROM orders WHERE id = 777)'
/** Of people by their name beside an amount or a day: ten orders of each of so many people, and the people. */
const lookedAtOfPayers = lookedAt * 22
type Looked = { of: string; mayReveal?: boolean; kind: string; within?: number }
const looked: Record<string, Looked> = {
  'the end of an order number': { of: `right(${orderNumber}, 6)`, kind: 'order' },
  'the beginning of an order number': { of: `left(${orderNumber}, 8)`, kind: 'order' },
  'the end of a refund number': {
    of: '(SELECT right(out_refund_no, 6) FROM refunds WHERE id = 777)',
    kind: 'refund',
  },
  'a transaction id': { of: "'T777'", kind: 'order' },
  'the end of a user id': { of: '(SELECT right(id::text, 6) FROM users LIMIT 1)', kind: 'user' },
  'the beginning of a user id': { of: '(SELECT left(id::text, 8) FROM users LIMIT 1)', kind: 'user' },
  'a user id': { of: `'${'%'}'`, kind: 'user' },
  'the end of a serial number': { of: "'000777'", kind: 'device' },
  'the beginning of many serial numbers': { of: "'SN00'", kind: 'device' },
  'a part of a nickname': { of: "'ick 777'", kind: 'user', within: lookedAtOfPayers },
  'what every nickname has': { of: "'ni'", kind: 'user' },
  'an openid': { of: "'oShop777'", mayReveal: true, kind: 'user' },
  "the end of the platform's number of a refund": { of: "'P777'", kind: 'refund' },
  'an amount': { of: "'17.77'", kind: 'order' },
  'a day': { of: orderDay, kind: 'order' },
  'an amount and a day': { of: `${orderAmount} || ' ' || ${orderDay}`, kind: 'order' },
  'an amount that no order of a day has': {
    of: `'1 ' || ${orderDay} || ' ' || ${orderNumber}`,
    kind: 'order',
  },
  'a nickname and an amount': { of: `'nick 777 ' || ${orderAmount}`, kind: 'order' },
  'a nickname that many have, and a day': {
    of: `'nick ' || ${orderDay}`,
    kind: 'order',
    within: lookedAtOfPayers,
  },
}
const today = todayInChina(new Date())

test.each(Object.entries(looked))(
  '%s: leads from anywhere to what it stands in, by an index and within 200 rows of each part',
  async (_what, { of, mayReveal = false, kind, within = lookedAt }) => {
    const text = await textOf(of.replace('%', heavyUserId))
    const { hits } = await findAnything(pool, { text, mayReveal, today, names: 'masked' })
    expect(hits.map((hit) => hit.kind)).toContain(kind)
    const nodes = await plansOf(() => findAnything(pool, { text, mayReveal, today, names: 'masked' }))
    expect(asked).toHaveLength(1)
    const unbounded = nodes.filter((node) => isLarge(node) && node['Node Type'] === 'Seq Scan')
    expect(unbounded.filter((node) => rowsRead([node]) > lookedAt)).toEqual([])
    expect(Math.max(...nodes.map((node) => rowsRead([node])))).toBeLessThanOrEqual(within * 1.2)
  },
)

test('what is at hand: thirty things of four kinds are each found by an index', async () => {
  const ofTable = async (kind: PinKind, column: string) => {
    const table = { order: 'orders', refund: 'refunds', user: 'users', device: 'devices' }[kind]
    const { rows } = await pool.query<{ id: string }>(`SELECT ${column}::text AS id FROM ${table} LIMIT 5`)
    return rows.map(({ id }) => ({ kind, id }))
  }
  const [numbers, refunded, people, serials] = await Promise.all([
    ofTable('order', 'out_trade_no'),
    ofTable('refund', 'out_refund_no'),
    ofTable('user', 'id'),
    ofTable('device', 'serial_number'),
  ])
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM operators LIMIT 1')
  const operatorId = rows[0]?.id ?? ''
  const pinned = [...numbers, ...refunded, ...people, ...serials]
  await pool.query(
    'INSERT INTO pins (operator_id, kind, subject_id) SELECT $1, kind, id FROM unnest($2::text[], $3::text[]) AS kept(kind, id)',
    [operatorId, pinned.map(({ kind }) => kind), pinned.map(({ id }) => id)],
  )
  const recent = [...numbers, ...people]
  const show = () => showAtHand(pool, { recent, operatorId, names: 'masked' })
  const shown = await show()
  expect([shown.pinned.length, shown.recent.length]).toEqual([20, 10])
  const nodes = await plansOf(show)
  expect(asked).toHaveLength(1)
  expect(
    nodes.filter((node) => isLarge(node) && node['Node Type'] === 'Seq Scan' && rowsRead([node]) > 20),
  ).toEqual([])
  expect(rowsRead(nodes)).toBeLessThan(200)
})
