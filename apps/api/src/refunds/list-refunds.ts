import {
  type PaymentChannel,
  type RefundFilter,
  type RefundListQuery,
  RefundRow,
  type RefundState,
  RefundTab,
  type RefundTabCounts,
  type RefundTabFilter,
  type RefundTotals,
  type TwoWayPage,
} from '@meridian/contracts'
import { column, type Pool, Prisma } from '@meridian/db'
import { orderIdsOfNumberSql } from '../orders/find-by-number.ts'
import { secondTransactionSql } from '../orders/second-payment.ts'
import { byAge, instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { countTabs, fenSum, readPage, sumRows } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql, withinSql } from '../platform/sql/conditions.ts'
import { type NameView, nicknameOfSql } from '../platform/sql/show-nickname.ts'
import { isReturnOfApplesSql } from './refund-rules.ts'

const { sql } = Prisma

const sorts = byAge({ key: instantColumn(sql`r.created_at`), id: serialColumn(sql`r.id`) })

/** How a refund `r` stands, as an expression: `refundStateOf` in SQL. */
export const refundStateSql = sql`CASE WHEN r.failure IS NOT NULL AND r.status IN ('approved', 'processing') THEN 'refused'
  WHEN r.stopped_at IS NOT NULL AND r.status = 'closed' THEN 'stopped' ELSE r.status::text END`

/** Refunds of one state, as a condition that an index answers. */
function stateCondition(state: RefundState): Prisma.Sql {
  if (state === 'refused') return sql`r.failure IS NOT NULL AND r.status IN ('approved', 'processing')`
  if (state === 'stopped') return sql`r.status = 'closed' AND r.stopped_at IS NOT NULL`
  const only = sql`r.status = ${state}::refund_status`
  if (state === 'closed') return sql`${only} AND r.stopped_at IS NULL`
  return state === 'approved' || state === 'processing' ? sql`${only} AND r.failure IS NULL` : only
}

/** What the console shows of a refund `r` of the order `o`. */
export const refundColumnsSql = sql`
  r.out_refund_no AS "outRefundNo", o.out_trade_no AS "outTradeNo", o.user_id AS "userId", o.channel, ${isReturnOfApplesSql} AS "byApple", r.amount_fen AS "amountFen", r.status,
  ${refundStateSql} AS state, r.reason_code AS reason, r.keep_days AS "keepDays",
  (SELECT email FROM operators WHERE operators.id = r.requested_by) AS "requestedByEmail",
  (SELECT email FROM operators WHERE operators.id = r.approved_by) AS "approvedByEmail",
  ${secondTransactionSql(sql`r`)} AS "secondTransactionId", r.failure, r.contradicted_by IS NOT NULL AND r.contradiction_decided_at IS NULL AS contradicted,
  r.created_at AS "createdAt", r.succeeded_at AS "succeededAt"`

function searchCondition(text: string): Prisma.Sql {
  const number = text.toUpperCase()
  if (/^R[0-9A-Z]{26}$/.test(number)) return sql`r.out_refund_no = ${number}`
  if (/^M[0-9A-Z]{26}$/.test(number)) return sql`r.order_id = ANY(${orderIdsOfNumberSql(number)})`
  return sql`r.platform_refund_id = ${text}`
}

/** A subquery, so that each refund of the range leads to its order by an index, whatever the planner believes of a channel. */
const channelCondition = (channel: PaymentChannel): Prisma.Sql =>
  sql`(SELECT paid.channel = ${channel}::payment_channel FROM orders paid WHERE paid.id = r.order_id)`

const succeededCondition = ({ succeededFrom: from, succeededTo: to }: RefundFilter): Prisma.Sql[] =>
  from || to ? [sql`r.second_payment_id IS NULL`, ...withinSql(sql`r.succeeded_at`, { from, to })] : []

const conditions = (filter: RefundFilter): Prisma.Sql => {
  const { status, channel, from, to, search } = filter
  const succeeded = succeededCondition(filter)
  return allOfSql(
    status && stateCondition(status),
    channel && channelCondition(channel),
    ...succeeded,
    ...withinSql(
      sql`r.created_at`,
      { from, to },
      { needsRange: channel !== undefined && succeeded.length === 0 },
    ),
    search && searchCondition(search),
  )
}

/** One page of refunds. */
export const listRefunds = (
  pool: Pool,
  query: RefundListQuery,
  names: NameView = 'masked',
): Promise<TwoWayPage<RefundRow>> =>
  readPage(
    pool,
    { sort: sorts[query.sort], asked: query, columns: columnsOf(RefundRow) },
    ({ position, page }) => sql`
      SELECT ${refundColumnsSql}, ${nicknameOfSql(sql`o.user_id`, names)} AS customer, ${position} FROM refunds r JOIN orders o ON o.id = r.order_id
      WHERE ${conditions(query)} AND ${page}`,
  )

/** How many refunds stand behind each tab of the list. */
export const countRefunds = (pool: Pool, filter: RefundTabFilter): Promise<RefundTabCounts> =>
  countTabs(pool, RefundTab.options, (tab) => {
    const narrowed = conditions({ ...filter, ...(tab !== 'all' && { status: tab }) })
    return sql`refunds r WHERE ${narrowed} ORDER BY r.created_at DESC, r.id DESC`
  })

/** Count and sums of the filtered set: exact up to 10,000 rows. */
export const sumRefunds = (pool: Pool, filter: RefundFilter): Promise<RefundTotals> =>
  sumRows(pool, {
    of: sql`r.amount_fen, r.status`,
    sums: sql`${fenSum(sql`amount_fen`)} AS "amountFen",
      ${fenSum(sql`CASE WHEN status = 'succeeded' THEN amount_fen END`)} AS "refundedFen"`,
    from: sql`refunds r WHERE ${conditions(filter)}`,
    columns: { amountFen: column.real, refundedFen: column.real },
  })
