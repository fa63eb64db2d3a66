import {
  type OrderFilter,
  type OrderListQuery,
  OrderRow,
  OrderTab,
  type OrderTabCounts,
  type OrderTabFilter,
  orderTabFilter,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { byAge, fenColumn, instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { countTabs, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql, withinSql } from '../platform/sql/conditions.ts'
import { type NameView, nicknameOfSql } from '../platform/sql/show-nickname.ts'
import { taggedSorts, taggedSql, tagsOfSql } from '../tags/tagged-lists.ts'
import { orderIdsOfNumberSql } from './find-by-number.ts'
import { feeFenOfOrderSql } from './order-fee.ts'

const { sql } = Prisma

const id = serialColumn(sql`id`)
const byAmount = { key: fenColumn(sql`amount_fen`), id }
const byMaking = byAge({ key: instantColumn(sql`created_at`), id })
export const newestOrdersFirst = byMaking.newest
const sorts = {
  ...byMaking,
  amount_desc: { ...byAmount, descending: true },
  amount_asc: { ...byAmount, descending: false },
}

const rowColumnsSql = (names: NameView) => sql`
  out_trade_no AS "outTradeNo", status, channel, plan_code AS "planCode", plan_name AS "planName", amount_fen AS "amountFen",
  refunded_fen AS "refundedFen", ${feeFenOfOrderSql(sql`orders`)} AS "feeFen", user_id AS "userId", ${nicknameOfSql(sql`orders.user_id`, names)} AS customer, transaction_id AS "transactionId", confirmed_by AS "confirmedBy",
  late, parked, created_at AS "createdAt", paid_at AS "paidAt", ${tagsOfSql('order', sql`orders.out_trade_no`)} AS tags`

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

function searchCondition(text: string): Prisma.Sql {
  if (isUuid(text)) return sql`user_id = ${text}::uuid`
  return sql`id = ANY(${orderIdsOfNumberSql(text)})`
}

/** Filters without an index of their own hold within a time range; what bears a tag is read out of the index of tags. */
const needsRange = ({
  tag,
  channel,
  minAmountFen,
  maxAmountFen,
  confirmedBy,
  reached,
  paidFrom,
}: OrderFilter) =>
  paidFrom === undefined &&
  tag === undefined &&
  [channel, minAmountFen, maxAmountFen, confirmedBy, reached].some((value) => value !== undefined)

/** Both lie in the index of paid orders with refunds. */
const withRefunds = sql`status = 'paid' AND refund_reserved_fen > 0`
const marks = {
  refunding: sql`${withRefunds} AND refund_reserved_fen > refunded_fen`,
  partly_refunded: sql`${withRefunds} AND refunded_fen > 0`,
  parked: sql`parked`,
} as const

/** A virtual payment has neither `prepay_id` nor, where Apple took it, a transaction. */
const steps = { prepay: sql`prepay_expires_at IS NOT NULL`, paid: sql`paid_at IS NOT NULL` } as const

/** Of payment, beside which an order by its age is found sooner: it was made before it was paid, clocks aside. */
const paidWithin = ({ paidFrom, paidTo, confirmedBy }: OrderFilter): Prisma.Sql[] => [
  ...(paidFrom ? [sql`paid_at >= ${paidFrom}`] : []),
  ...(paidTo ? [sql`paid_at < ${paidTo} AND created_at < ${paidTo}::timestamptz + interval '24 hours'`] : []),
  ...(confirmedBy ? [sql`confirmed_by = ${confirmedBy}::confirmed_by`] : []),
]

/** The filter of the list, as a condition on `orders` and what they are read out of. */
function conditionsSql(filter: OrderFilter): Prisma.Sql {
  const { status, mark, channel, planCode, from, to, reached, minAmountFen, maxAmountFen, search } = filter
  return allOfSql(
    status && sql`status = ${status}::order_status`,
    mark && marks[mark],
    channel && sql`channel = ${channel}::payment_channel`,
    planCode && sql`plan_code = ${planCode}`,
    ...withinSql(
      filter.tag ? sql`tagged_at` : sql`created_at`,
      { from, to },
      { needsRange: needsRange(filter) },
    ),
    ...paidWithin(filter),
    reached && steps[reached],
    minAmountFen !== undefined && sql`amount_fen >= ${minAmountFen}`,
    maxAmountFen !== undefined && sql`amount_fen <= ${maxAmountFen}`,
    search && searchCondition(search),
  )
}

/** The orders that the filter leaves, as what follows FROM: those with a tag are read out of what bears it. */
export const filteredOrdersSql = (filter: OrderFilter): Prisma.Sql => {
  const orders = filter.tag
    ? sql`${taggedSql('order', filter.tag)} JOIN orders ON out_trade_no = tagged_id`
    : sql`orders`
  return sql`${orders} WHERE ${conditionsSql(filter)}`
}

/** One page of the console's order list. */
export const listOrders = (
  pool: Pool,
  query: OrderListQuery,
  names: NameView = 'masked',
): Promise<TwoWayPage<OrderRow>> =>
  readPage(
    pool,
    {
      sort: { ...sorts, ...(query.tag && taggedSorts) }[query.sort],
      asked: query,
      columns: columnsOf(OrderRow),
    },
    ({ position, page }) =>
      sql`SELECT ${rowColumnsSql(names)}, ${position} FROM ${filteredOrdersSql(query)} AND ${page}`,
  )

/** How many orders stand behind each tab of the list. */
export const countOrders = (pool: Pool, filter: OrderTabFilter): Promise<OrderTabCounts> =>
  countTabs(
    pool,
    OrderTab.options,
    (tab) =>
      sql`${filteredOrdersSql({ ...filter, ...orderTabFilter(tab) })} ORDER BY created_at DESC, id DESC`,
  )
