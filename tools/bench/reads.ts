import { type DashboardRange, type Month, monthAfter } from '@meridian/contracts'
import { openFamily } from '../../apps/api/src/users/log-in.ts'
import { addUp, addUpAllAccounts, hasAccounts } from './growth-jobs.ts'
import { median, quantile } from './measure.ts'
import { type BenchConsole, openBenchConsole } from './open-console.ts'
import type { BenchWorld } from './open-world.ts'
import { type Program, startApi } from './programs.ts'
import { cursorAfter, type DeepTable, type Position, pageSize, rowBefore } from './row-before.ts'
import { searchTexts } from './search-texts.ts'
import { type Line, milliseconds } from './table.ts'

const runs = 20
const pageRuns = 60
const acceptableMs = 150

type Read = () => Promise<unknown>

/** How long a read took each time, in milliseconds, or why it was refused. */
type Taken = number[] | { refused: string }

/** How long each of these reads takes, in turns; one that is refused is not asked again and stops no other. */
async function timeEach(reads: Readonly<Record<string, Read>>, times: number): Promise<Map<string, Taken>> {
  const taken = new Map(Object.keys(reads).map((name): [string, Taken] => [name, []]))
  for (let run = -2; run < times; run += 1) {
    for (const [name, read] of Object.entries(reads)) {
      const before = taken.get(name)
      if (!Array.isArray(before)) continue
      const started = performance.now()
      try {
        await read()
        if (run >= 0) before.push(performance.now() - started)
      } catch (error) {
        taken.set(name, { refused: error instanceof Error ? error.message : String(error) })
      }
    }
  }
  return taken
}

/** The times of a read that was not refused. */
const timesOf = (taken: Times, name: string): number[] => {
  const times = taken.get(name)
  return Array.isArray(times) ? times : []
}

/** Page 1 and page 10,000 of what the user with the longest lists sees. */
async function ownListReads(world: BenchWorld, { port }: Program): Promise<Record<string, Read>> {
  const { heavyUserId } = world.history
  const tokens = await openFamily(world.services, heavyUserId)
  const deepIn = async (table: DeepTable) =>
    cursorAfter(await rowBefore(world, table, `user_id = '${heavyUserId}'`))
  const read = (path: string, query: string) => async () => {
    const url = `http://127.0.0.1:${port}/api/v1/${path}?limit=${pageSize}${query}`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    if (!answer.ok) throw new Error(`the list answered ${answer.status}`)
    await answer.arrayBuffer()
  }
  return {
    'first orders': read('subscription/orders', ''),
    'deep orders': read('subscription/orders', `&cursor=${await deepIn('orders')}`),
    'first reports': read('reports', ''),
    'deep reports': read('reports', `&cursor=${await deepIn('reports')}`),
  }
}

type Times = ReadonlyMap<string, Taken>

function deepOverFirst(what: string, times: Times, [first, deep]: readonly [string, string]): Line {
  const [firstMs, deepMs] = [median(timesOf(times, first)), median(timesOf(times, deep))]
  return {
    what,
    figure: milliseconds(deepMs),
    floor: `first page ${milliseconds(firstMs)}`,
    ratio: deepMs / firstMs,
    aim: { atMost: 1.5 },
  }
}

type Console = BenchConsole['console']

/** Thirty whole days up to yesterday. */
function lastMonth(): DashboardRange {
  const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
  return { from: dayBefore(30), to: dayBefore(1) }
}

const searchReads = ({ search }: Console, paid: Position): Record<string, Read> =>
  Object.fromEntries(
    Object.entries(searchTexts).map(([kind, textOf]) => [
      `search from anywhere: ${kind}`,
      () => search.find.query({ text: textOf(paid) }),
    ]),
  )

/** The twelve months that end with this one. */
const yearTo = (month: Month) => ({ from: monthAfter(month, -11), to: month })

/** What waits, and the figures of a month. */
const overviews = ({ dashboard, inbox, finance }: Console, month: DashboardRange): Record<string, Read> => ({
  'what waits, counted for the navigation': () => dashboard.waiting.query(),
  'what waits, first page': () => inbox.list.query({ view: 'all', limit: pageSize }),
  'what waits, counted by view and type': () => inbox.counts.query({ view: 'all' }),
  'dashboard: revenue of a month': () => dashboard.revenue.query(month),
  'dashboard: orders of a month': () => dashboard.orders.query(month),
  'dashboard: users of a month from scan to subscription': () => dashboard.userFunnel.query(month),
  'dashboard: subscriptions': () => dashboard.subscriptions.query(month),
  'dashboard: health': () => dashboard.health.query(month),
  'finance: a month with its days': () => finance.month.query({ month: month.to.slice(0, 7) }),
  'revenue: a month by plan and channel': () => finance.planRevenue.query({ month: month.to.slice(0, 7) }),
})

/** What is added up user by user. */
const accountReads = ({ revenue }: Console, month: DashboardRange): Record<string, Read> => ({
  'revenue: deferred income of a month': () => revenue.deferred.query({ month: month.to.slice(0, 7) }),
  'revenue: churn of a year': () => revenue.churn.query(yearTo(month.to.slice(0, 7))),
  'revenue: cohorts of a year': () => revenue.cohorts.query(yearTo(month.to.slice(0, 7))),
})

const newest = { sort: 'newest', limit: pageSize } as const

/** An order that was paid, and after which row page 10,000 begins, of all orders and of those with a tag. */
type OrderPlaces = { paid: Position; deepest: string; deepTagged: string }

/** The list of orders at any depth, by what it can be narrowed to and searched for. */
function orderReads({ order }: Console, { paid, deepest, deepTagged }: OrderPlaces): Record<string, Read> {
  const { outTradeNo, userId, transactionId } = paid
  const monthAgo = new Date(Date.now() - 30 * 86_400_000)
  const paidInMonth = { paidFrom: monthAgo, paidTo: new Date() }
  const list = (query: object) => () => order.list.query({ ...newest, ...query })
  return {
    'orders, first page': list({}),
    'orders, page 10,000': list({ cursor: deepest }),
    'orders with a tag, first page': list({ tag: '1' }),
    'orders with a tag, page 10,000': list({ tag: '1', cursor: deepTagged }),
    'paid orders of a month with a tag': list({ tag: '1', status: 'paid', from: monthAgo }),
    'count and sum of orders with a tag': () => order.totals.query({ tag: '1' }),
    'orders paid for one plan': list({ status: 'paid', planCode: 'yearly' }),
    'orders of a month by amount': list({ sort: 'amount_desc', from: monthAgo, minAmountFen: 3000 }),
    'orders paid in a month': list(paidInMonth),
    'orders of a month that came so far as to be paid': list({ reached: 'paid', from: monthAgo }),
    'orders of a month found by sweeping': list({ confirmedBy: 'sweep', ...paidInMonth }),
    'count and sum of paid orders': () => order.totals.query({ status: 'paid' }),
    'search by order number': list({ search: outTradeNo }),
    'search by transaction': list({ search: transactionId ?? '' }),
    'search by user': list({ search: userId }),
    'order detail': () => order.detail.query({ outTradeNo }),
  }
}

/** The other lists, and the page of one customer. */
async function peopleReads(
  world: BenchWorld,
  { report, user, customer, subscription }: Console,
  { userId }: Position,
): Promise<Record<string, Read>> {
  const deepReport = cursorAfter(await rowBefore(world, 'reports', 'TRUE'))
  const deepUser = cursorAfter(await rowBefore(world, 'users', 'TRUE'))
  const fresh = { freshFrom: new Date(Date.now() - 30 * 86_400_000), freshTo: new Date() }
  return {
    'subscriptions that began in a month': () =>
      subscription.list.query({ sort: 'soonest', limit: pageSize, ...fresh }),
    'reports, first page': () => report.list.query(newest),
    'reports, page 10,000': () => report.list.query({ ...newest, cursor: deepReport }),
    'reports of one device': () => report.list.query({ ...newest, search: 'SN00004711' }),
    'users, first page': () => user.list.query(newest),
    'users, page 10,000': () => user.list.query({ ...newest, cursor: deepUser }),
    'feed of a customer, first page': () => customer.feed.query({ id: userId, limit: pageSize }),
    'money of a customer': () => customer.money.query({ id: userId }),
  }
}

/** What operators do all day, in groups that each stay below what one session may ask of the console in a minute. */
async function timeConsole(world: BenchWorld, api: Program): Promise<Map<string, Taken>> {
  const paid = await rowBefore(world, 'orders', `status = 'paid'`)
  const deepest = cursorAfter(await rowBefore(world, 'orders', 'TRUE'))
  const deepTagged = cursorAfter(await rowBefore(world, 'taggings', `tag_id = 1 AND subject_kind = 'order'`))
  const groups: ReadonlyArray<(console: Console) => Record<string, Read> | Promise<Record<string, Read>>> = [
    (console) => orderReads(console, { paid, deepest, deepTagged }),
    (console) => peopleReads(world, console, paid),
    (console) => searchReads(console, paid),
    (console) => overviews(console, lastMonth()),
    ...(hasAccounts(world.history) ? [(console: Console) => accountReads(console, lastMonth())] : []),
  ]
  const times = new Map<string, Taken>()
  for (const readsOf of groups) {
    const { console } = await openBenchConsole(world, api)
    for (const [name, taken] of await timeEach(await readsOf(console), runs)) times.set(name, taken)
  }
  return times
}

/** The user's own lists and the console's: the ten-thousandth page beside the first, and each read in itself. */
export async function measureReads(world: BenchWorld): Promise<Line[]> {
  const { pool } = world.services.database
  await addUp(pool)
  if (hasAccounts(world.history)) await addUpAllAccounts(pool)
  const api = await startApi(world)
  try {
    const own = await timeEach(await ownListReads(world, api), pageRuns)
    const times = await timeConsole(world, api)
    const nothing = { 'SELECT 1': () => world.services.database.pool.query('SELECT 1') }
    const bare = quantile(timesOf(await timeEach(nothing, runs), 'SELECT 1'), 0.95)
    return [
      deepOverFirst("page 10,000 of a user's orders", own, ['first orders', 'deep orders']),
      deepOverFirst("page 10,000 of a user's reports", own, ['first reports', 'deep reports']),
      deepOverFirst("page 10,000 of the console's orders", times, [
        'orders, first page',
        'orders, page 10,000',
      ]),
      deepOverFirst('page 10,000 of the orders with a tag', times, [
        'orders with a tag, first page',
        'orders with a tag, page 10,000',
      ]),
      deepOverFirst("page 10,000 of the console's reports", times, [
        'reports, first page',
        'reports, page 10,000',
      ]),
      ...[...times].map(([name, taken]) => readLine(name, taken, bare)),
    ]
  } finally {
    await api.stop()
  }
}

/** A panel adds up a whole month beside others that are there already; what somebody waits for has its limit. */
function readLine(name: string, taken: Taken, bareMs: number): Line {
  if (!Array.isArray(taken))
    return { what: name, figure: 'refused', floor: taken.refused, ratio: 0, aim: { atLeast: 1 } }
  const p95 = quantile(taken, 0.95)
  const isPanel = name.startsWith('dashboard')
  return {
    what: `${name}, p95 of ${runs}`,
    figure: milliseconds(p95),
    floor: `SELECT 1 ${milliseconds(bareMs)}${isPanel ? '' : `; ${acceptableMs} ms`}`,
    ratio: isPanel ? Number.NaN : p95 / acceptableMs,
    aim: isPanel ? null : { atMost: 1 },
  }
}
