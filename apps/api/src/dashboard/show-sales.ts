import {
  type DashboardOrders,
  type DashboardRange,
  type DashboardRevenue,
  daysOfPreset,
  type Funnel,
  type Money,
  OrderStatus,
  RevenueDay,
} from '@meridian/contracts'
import { column, execute, oneOf, type Pool, Prisma, query } from '@meridian/db'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { withinLimit } from '../platform/sql/transaction.ts'
import { rangeBefore, todayInChina } from './days.ts'
import { orderFactsSql } from './order-facts.ts'

const { sql } = Prisma

const daysOf = ({ from, to }: DashboardRange, facts: Prisma.Sql): Prisma.Sql => sql`
  SELECT d::date::text AS day, coalesce(s.orders, 0)::int AS orders, coalesce(s.fen, 0)::float8 AS "grossFen",
    coalesce(s.back_fen, 0)::float8 AS "refundFen", (coalesce(s.fen, 0) - coalesce(s.back_fen, 0))::float8 AS "netFen",
    coalesce(s.virtual_fen, 0)::float8 AS "virtualFen", coalesce(s.virtual_orders, 0)::int AS "virtualOrders"
  FROM generate_series(${from}::date::timestamp, ${to}::date, interval '1 day') d
    LEFT JOIN (
      SELECT day, sum(orders) FILTER (WHERE fact = 'paid') AS orders, sum(fen) FILTER (WHERE fact = 'paid') AS fen,
        sum(fen) FILTER (WHERE fact = 'refunded') AS back_fen,
        sum(orders) FILTER (WHERE fact = 'paid' AND channel = 'virtual') AS virtual_orders,
        sum(fen) FILTER (WHERE fact = 'paid' AND channel = 'virtual') AS virtual_fen
      FROM ${facts} facts GROUP BY day) s ON s.day = d::date
  ORDER BY d`

function sum(days: readonly RevenueDay[], { from, to }: DashboardRange): Money {
  const total = { grossFen: 0, refundFen: 0, netFen: 0, orders: 0, virtualFen: 0, virtualOrders: 0 }
  for (const { day, grossFen, refundFen, netFen, orders, virtualFen, virtualOrders } of days) {
    if (day < from || day > to) continue
    total.grossFen += grossFen
    total.refundFen += refundFen
    total.netFen += netFen
    total.orders += orders
    total.virtualFen += virtualFen
    total.virtualOrders += virtualOrders
  }
  return total
}

const compare = (days: readonly RevenueDay[], range: DashboardRange) => ({
  now: sum(days, range),
  before: sum(days, rangeBefore(range)),
})

const earlier = (one: string, other: string) => (one < other ? one : other)
const later = (one: string, other: string) => (one > other ? one : other)

/**
 * Revenue by day of the range and of the one before, with today, seven and thirty days beside what came before them.
 * @throws DomainError range_too_wide
 */
export async function showRevenue(
  pool: Pool,
  range: DashboardRange,
  readAt: Date,
): Promise<DashboardRevenue> {
  const today = todayInChina(readAt)
  const month = daysOfPreset('lastMonth', today)
  const all = {
    from: earlier(rangeBefore(range).from, rangeBefore(month).from),
    to: later(range.to, today),
  }
  const days = await withinLimit(pool, async (client) => {
    const statement = daysOf(all, await orderFactsSql(client, all))
    return execute(client, query(null, statement, columnsOf(RevenueDay)))
  })
  const within = ({ from, to }: DashboardRange) => days.filter(({ day }) => day >= from && day <= to)
  return {
    days: within(range),
    daysBefore: within(rangeBefore(range)),
    range: compare(days, range),
    today: compare(days, daysOfPreset('today', today)),
    week: compare(days, daysOfPreset('lastWeek', today)),
    month: compare(days, month),
    readAt,
  }
}

const countedColumns = {
  current: column.boolean,
  status: oneOf(OrderStatus.options),
  created: column.integer,
  prepay: column.integer,
  paid: column.integer,
}

const funnelOf = ({ from, to }: DashboardRange, facts: Prisma.Sql): Prisma.Sql => sql`
  SELECT day BETWEEN ${from}::date AND ${to}::date AS current, key AS status, sum(orders)::int AS created,
    sum(prepay)::int AS prepay, sum(paid)::int AS paid
  FROM ${facts} facts WHERE fact = 'created' GROUP BY 1, 2`

function add(rows: readonly Funnel[]): Funnel {
  const total = { created: 0, prepay: 0, paid: 0 }
  for (const { created, prepay, paid } of rows) {
    total.created += created
    total.prepay += prepay
    total.paid += paid
  }
  return total
}

/**
 * Orders made in the range by status, and how far they came, beside those made in the range before.
 * @throws DomainError range_too_wide
 */
export async function showOrderFunnel(
  pool: Pool,
  range: DashboardRange,
  readAt: Date,
): Promise<DashboardOrders> {
  const both = { from: rangeBefore(range).from, to: range.to }
  const rows = await withinLimit(pool, async (client) => {
    const statement = funnelOf(range, await orderFactsSql(client, both))
    return execute(client, query(null, statement, countedColumns))
  })
  const current = rows.filter((row) => row.current)
  return {
    byStatus: OrderStatus.options.map((status) => ({
      status,
      count: current.find((row) => row.status === status)?.created ?? 0,
    })),
    funnel: add(current),
    funnelBefore: add(rows.filter((row) => !row.current)),
    readAt,
  }
}
