import {
  type OrderFilter,
  type OrderListQuery,
  OrderRow,
  type RowTotals,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Pool, Prisma, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { sumAmounts } from '../platform/paging/count-tabs.ts'
import { type KeysetSort, keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { FenKey, InstantKey, type Position } from '../platform/paging/paging.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/run-limited.ts'

const { sql } = Prisma
const sorts = {
  newest: { column: sql`created_at`, type: sql`timestamptz`, Key: InstantKey, descending: true },
  oldest: { column: sql`created_at`, type: sql`timestamptz`, Key: InstantKey, descending: false },
  amount_desc: { column: sql`amount_fen`, type: sql`int`, Key: FenKey, descending: true },
  amount_asc: { column: sql`amount_fen`, type: sql`int`, Key: FenKey, descending: false },
} as const satisfies Record<OrderListQuery['sort'], KeysetSort>

const rowColumns = sql`
  id, out_trade_no AS "outTradeNo", status, plan_code AS "planCode", plan_name AS "planName", amount_fen AS "amountFen",
  refunded_fen AS "refundedFen", user_id AS "userId", transaction_id AS "transactionId", confirmed_by AS "confirmedBy",
  late, parked, created_at AS "createdAt", paid_at AS "paidAt"`

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

function searchCondition(text: string): Prisma.Sql {
  if (isUuid(text)) return sql`user_id = ${text}::uuid`
  const number = text.toUpperCase()
  return sql`(out_trade_no = ${number} OR transaction_id = ${text})`
}

/** Filters without an index of their own hold within a time range: the last 90 days unless one is given. */
const needsRange = ({ minAmountFen, maxAmountFen, confirmedBy, reached, paidFrom }: OrderFilter) =>
  paidFrom === undefined &&
  [minAmountFen, maxAmountFen, confirmedBy, reached].some((value) => value !== undefined)

const marks = { refunding: sql`refund_reserved_fen > refunded_fen`, parked: sql`parked` } as const

const steps = { prepay: sql`prepay_id IS NOT NULL`, paid: sql`transaction_id IS NOT NULL` } as const

/** Of payment, beside which an order by its age is found sooner: it was made before it was paid, clocks aside. */
const paidWithin = ({ paidFrom, paidTo, confirmedBy }: OrderFilter): Prisma.Sql[] => [
  ...(paidFrom ? [sql`paid_at >= ${paidFrom}`] : []),
  ...(paidTo ? [sql`paid_at < ${paidTo} AND created_at < ${paidTo}::timestamptz + interval '1 day'`] : []),
  ...(confirmedBy ? [sql`confirmed_by = ${confirmedBy}::confirmed_by`] : []),
]

export function orderConditionsSql(filter: OrderFilter): Prisma.Sql {
  const { status, mark, planCode, from, to, reached, minAmountFen, maxAmountFen, search } = filter
  const list = [
    sql`TRUE`,
    ...(status ? [sql`status = ${status}::order_status`] : []),
    ...(mark ? [marks[mark]] : []),
    ...(planCode ? [sql`plan_code = ${planCode}`] : []),
    ...(from
      ? [sql`created_at >= ${from}`]
      : needsRange(filter)
        ? [sql`created_at >= business_now() - interval '90 days'`]
        : []),
    ...(to ? [sql`created_at < ${to}`] : []),
    ...paidWithin(filter),
    ...(reached ? [steps[reached]] : []),
    ...(minAmountFen !== undefined ? [sql`amount_fen >= ${minAmountFen}`] : []),
    ...(maxAmountFen !== undefined ? [sql`amount_fen <= ${maxAmountFen}`] : []),
    ...(search ? [searchCondition(search)] : []),
  ]
  return Prisma.join(list, ' AND ')
}

const listed = columnsOf(OrderRow.extend({ id: z.bigint(), sortKey: z.string() }))
type Read = RowOf<typeof listed>

const toRow = ({ id: _id, sortKey: _sortKey, ...row }: Read): OrderRow => row
const positionOf = (row: Read): Position => [row.sortKey, String(row.id)]

/** One page of the console's order list, forwards or backwards, at the same cost at any depth. */
export async function listOrders(pool: Pool, query: OrderListQuery): Promise<TwoWayPage<OrderRow>> {
  const { sort, limit, cursor: text, ...filter } = query
  const { cursor, beyond, orderBy } = keysetOf(sorts[sort], text)
  const rows = await readLimited(
    pool,
    sql`SELECT ${rowColumns}, ${sorts[sort].column}::text AS "sortKey" FROM orders
      WHERE ${orderConditionsSql(filter)} AND ${beyond} ORDER BY ${orderBy} LIMIT ${limit + 1}`,
    listed,
  )
  const page = toTwoWayPage(rows, { limit, cursor }, positionOf)
  return { ...page, items: page.items.map(toRow) }
}

/** Count and sum of the filtered set: exact up to 10,000 rows. */
export const sumOrders = (pool: Pool, filter: OrderFilter): Promise<RowTotals> =>
  sumAmounts(pool, sql`orders WHERE ${orderConditionsSql(filter)}`)
