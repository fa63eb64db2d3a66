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
import { column, oneOf, type Pool, Prisma } from '@meridian/db'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import { onDaySql, rangeBefore, todayInChina, withinSql } from './days.ts'

const { sql } = Prisma

const day = sql`d::date`

// Day by day in the indexes' own order: to put a month of orders into groups would take five times as long.
const daysOf = ({ from, to }: DashboardRange): Prisma.Sql => sql`
  SELECT ${day}::text AS day, p.orders, p.fen::float8 AS "grossFen", r.fen::float8 AS "refundFen",
    (p.fen - r.fen)::float8 AS "netFen", p.virtual_fen::float8 AS "virtualFen", p.virtual_orders AS "virtualOrders"
  FROM generate_series(${from}::date::timestamp, ${to}::date, interval '1 day') d,
    LATERAL (
      SELECT count(*)::int AS orders, coalesce(sum(amount_fen), 0) AS fen,
        count(*) FILTER (WHERE channel = 'virtual')::int AS virtual_orders,
        coalesce(sum(amount_fen) FILTER (WHERE channel = 'virtual'), 0) AS virtual_fen
      FROM orders
      WHERE ${onDaySql(sql`paid_at`, day)}) p,
    LATERAL (
      SELECT coalesce(sum(amount_fen), 0) AS fen FROM refunds
      WHERE second_payment_id IS NULL AND ${onDaySql(sql`succeeded_at`, day)}) r
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
 * Revenue by day of the range, with today, seven and thirty days beside what came before them.
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
  const days = await readLimited(pool, daysOf(all), columnsOf(RevenueDay))
  return {
    days: days.filter(({ day }) => day >= range.from && day <= range.to),
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

// These columns say the same as the prepay's and the transaction's numbers, and lie in the index.
const funnelOf = (range: DashboardRange): Prisma.Sql => {
  const both = { from: rangeBefore(range).from, to: range.to }
  return sql`
    SELECT ${withinSql(sql`created_at`, range)} AS current, status, count(*)::int AS created,
      count(prepay_expires_at)::int AS prepay, count(paid_at)::int AS paid
    FROM orders WHERE ${withinSql(sql`created_at`, both)} GROUP BY 1, 2`
}

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
  const rows = await readLimited(pool, funnelOf(range), countedColumns)
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
