import { type DashboardOrders, type DashboardRange, type Funnel, OrderStatus } from '@meridian/contracts'
import { column, oneOf, type Pool, Prisma } from '@meridian/db'
import { readLimited } from '../platform/sql/read-limited.ts'
import { rangeBefore, withinSql } from './days.ts'

const { sql } = Prisma

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
