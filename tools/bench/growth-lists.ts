import {
  daysOfPreset,
  FeedQuery,
  InboxPermission,
  monthAfter,
  NotificationListQuery,
  OrderListQuery,
  ReportListQuery,
  SubscriptionListQuery,
  UserListQuery,
} from '@meridian/contracts'
import { listFeed } from '../../apps/api/src/account/feed/list-feed.ts'
import { todayInChina } from '../../apps/api/src/dashboard/days.ts'
import { countDesk, countWaiting, showHealth } from '../../apps/api/src/dashboard/show-desk.ts'
import { showOrderFunnel, showRevenue } from '../../apps/api/src/dashboard/show-sales.ts'
import { showSubscriptionFigures } from '../../apps/api/src/dashboard/show-subscribers.ts'
import { showUserFunnel } from '../../apps/api/src/dashboard/show-user-funnel.ts'
import { exports } from '../../apps/api/src/doors/files/export-lists.ts'
import { showMonth } from '../../apps/api/src/finance/show-month.ts'
import { showPlanRevenue } from '../../apps/api/src/finance/show-plan-revenue.ts'
import { countInbox, listInbox } from '../../apps/api/src/inbox/list-inbox.ts'
import { listNotifications } from '../../apps/api/src/notifications/read-inbox.ts'
import { countOrders, listOrders } from '../../apps/api/src/orders/list-orders.ts'
import { showOrder } from '../../apps/api/src/orders/show-order.ts'
import { sumOrders } from '../../apps/api/src/orders/sum-orders.ts'
import { toCursor } from '../../apps/api/src/platform/paging/keyset.ts'
import { listReports } from '../../apps/api/src/reports/show-reports.ts'
import { findAnything } from '../../apps/api/src/search/find-anything.ts'
import { listSubscriptions } from '../../apps/api/src/subscriptions/list-subscriptions.ts'
import { listUsers } from '../../apps/api/src/users/list-users.ts'
import type { Cost, Run } from './measure-costs.ts'
import type { BenchWorld } from './open-world.ts'
import { cursorAfter, rowBefore } from './row-before.ts'
import { searchTexts } from './search-texts.ts'

const limit = 20
const exportedRows = 2000

const read =
  (run: Run): Cost =>
  async () => ({ run })
const readOf =
  (open: () => Promise<Run>): Cost =>
  async () => ({ run: await open() })

/** The month before the one that this day lies in. */
const monthOf = (day: string) => monthAfter(day.slice(0, 7), -1)

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

function orderLists(world: BenchWorld): Record<string, Cost> {
  const { database } = world.services
  const { pool } = database
  const monthAgo = daysAgo(30)
  const list = (query: object) => read(() => listOrders(pool, OrderListQuery.parse({ limit, ...query })))
  const found = (look: (paid: Awaited<ReturnType<typeof rowBefore>>) => Promise<unknown>) =>
    readOf(async () => {
      const paid = await rowBefore(world, 'orders', `status = 'paid'`)
      return () => look(paid)
    })
  const search = (text: string) => listOrders(pool, OrderListQuery.parse({ limit, search: text }))
  return {
    'orders, first page': list({}),
    'orders, page 10,000': readOf(async () => {
      const cursor = cursorAfter(await rowBefore(world, 'orders', 'TRUE'))
      return () => listOrders(pool, OrderListQuery.parse({ limit, cursor }))
    }),
    'orders paid for one plan': list({ status: 'paid', planCode: 'yearly' }),
    'orders of a month by amount': list({ sort: 'amount_desc', from: monthAgo, minAmountFen: 3000 }),
    'orders paid in a month': list({ paidFrom: monthAgo, paidTo: new Date() }),
    'orders of a month that were paid': list({ reached: 'paid', from: monthAgo }),
    'orders of a month found by sweeping': list({
      confirmedBy: 'sweep',
      paidFrom: monthAgo,
      paidTo: new Date(),
    }),
    'orders counted by tab': read(() => countOrders(pool, {})),
    'count and sum of paid orders': read(() => sumOrders(pool, { status: 'paid' })),
    'search by order number': found(({ outTradeNo }) => search(outTradeNo)),
    'search by transaction': found(({ transactionId }) => search(transactionId ?? '')),
    'search by user': found(({ userId }) => search(userId)),
    'order detail': found(({ outTradeNo }) => showOrder(database, outTradeNo)),
  }
}

/** The search from anywhere, for each kind of text that it is given. */
function searches(world: BenchWorld): Record<string, Cost> {
  const { pool } = world.services.database
  const today = todayInChina(new Date())
  const search = (textOf: (typeof searchTexts)[string]) =>
    readOf(async () => {
      const text = textOf(await rowBefore(world, 'orders', `status = 'paid'`))
      return () => findAnything(pool, { text, today, names: 'masked', mayReveal: true })
    })
  return Object.fromEntries(
    Object.entries(searchTexts).map(([kind, textOf]) => [`search from anywhere: ${kind}`, search(textOf)]),
  )
}

function otherLists(world: BenchWorld): Record<string, Cost> {
  const { pool } = world.services.database
  const deep = (table: 'reports' | 'users', list: (cursor: string) => Promise<unknown>) =>
    readOf(async () => {
      const cursor = cursorAfter(await rowBefore(world, table, 'TRUE'))
      return () => list(cursor)
    })
  const reports = (query: object) => listReports(pool, ReportListQuery.parse({ limit, ...query }))
  const users = (query: object) => listUsers(pool, UserListQuery.parse({ limit, ...query }))
  const inbox = (query: object) => listNotifications(pool, NotificationListQuery.parse({ limit, ...query }))
  const subscriptions = (query: object) =>
    listSubscriptions(pool, SubscriptionListQuery.parse({ limit, ...query }))
  return {
    'reports, first page': read(() => reports({})),
    'reports, page 10,000': deep('reports', (cursor) => reports({ cursor })),
    'reports of one device': read(() => reports({ search: 'SN00000711' })),
    'users, first page': read(() => users({})),
    'users, page 10,000': deep('users', (cursor) => users({ cursor })),
    'notifications, first page': read(() => inbox({})),
    'notifications of one outcome': read(() => inbox({ outcome: 'mismatch' })),
    'subscriptions, first page': read(() => subscriptions({ sort: 'soonest' })),
    'subscriptions that began in a month': read(() =>
      subscriptions({ sort: 'soonest', freshFrom: daysAgo(30), freshTo: new Date() }),
    ),
  }
}

/** Whoever may act on everything: of nobody else is more counted. */
const looker = { operatorId: '01900000-0000-7000-8000-000000000000', permissions: InboxPermission.options }

/** Everything of the customer with the longest lists, from the newest on and from deep in them. */
function feeds(world: BenchWorld): Record<string, Cost> {
  const { pool } = world.services.database
  const { heavyUserId: id } = world.history
  const reader = { operatorId: id, role: 'owner' as const }
  const feed = (query: object) => listFeed(pool, FeedQuery.parse({ id, limit, ...query }), reader)
  return {
    'feed of a customer, first page': read(() => feed({})),
    'feed of a customer, deep page': readOf(async () => {
      const { createdAt } = await rowBefore(world, 'orders', `user_id = '${id}'`)
      const cursor = toCursor([createdAt, `o${'0'.repeat(20)}`])
      return () => feed({ cursor })
    }),
  }
}

function panels(world: BenchWorld): Record<string, Cost> {
  const { pool } = world.services.database
  const month = daysOfPreset('lastMonth', todayInChina(new Date()))
  return {
    'panel: revenue of a month': read(() => showRevenue(pool, month, new Date())),
    'panel: orders of a month': read(() => showOrderFunnel(pool, month, new Date())),
    'panel: users of a month from scan to subscription': read(() => showUserFunnel(pool, month)),
    'panel: subscriptions of a month': read(() => showSubscriptionFigures(pool, month)),
    'panel: health of a month': read(() => showHealth(pool, month)),
    'panel: what waits': read(() => countWaiting(pool, looker)),
    'what waits for whom, first page': read(() =>
      listInbox(pool, { view: 'you', limit }, { ...looker, names: 'masked' }),
    ),
    'what waits for whom, counted': read(() => countInbox(pool, { view: 'you' }, looker)),
    'finance: a month with its days': read(() => showMonth(pool, { month: monthOf(month.to) }, new Date())),
    'finance: a month by plan and channel': read(() => showPlanRevenue(pool, { month: monthOf(month.to) })),
    'the desk counted': read(() => countDesk(pool)),
  }
}

/** Takes so many lines of an export, or all there are. */
async function takeLines(world: BenchWorld, name: 'orders' | 'users'): Promise<void> {
  const { pool } = world.services.database
  const lines = exports[name].lines((page) => page(pool), {
    ...{ input: {}, language: 'en', names: 'masked' },
    soldName: (name) => name,
  })
  let taken = 0
  for await (const _line of lines) {
    taken += 1
    if (taken >= exportedRows) return
  }
}

const exportCost =
  (world: BenchWorld, name: 'orders' | 'users'): Cost =>
  async () => ({ run: () => takeLines(world, name), things: exportedRows / 1000 })

/** What operators do all day: lists at any depth, filters, searches, one order, the overview, files. */
export const listCosts = (world: BenchWorld): Record<string, Cost> => ({
  ...orderLists(world),
  ...searches(world),
  ...otherLists(world),
  ...feeds(world),
  ...panels(world),
  'export of orders, each 1,000 lines': exportCost(world, 'orders'),
  'export of users, each 1,000 lines': exportCost(world, 'users'),
})
