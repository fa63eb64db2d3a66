import {
  OrderStatus,
  RefundPreview,
  type RefundPreviewQuery,
  refundableFenOf,
  refundObstacleOf,
} from '@meridian/contracts'
import { column, execute, nullable, oneOf, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { remainingDaysSql } from '../platform/time/business-time.ts'
import { settingSql } from '../settings/read-settings.ts'
import { dueDaysSql, takenDaysSql, unusedDaysSql } from '../subscriptions/unused-days.ts'
import { endAfterSql, grantInstantSql } from '../subscriptions/write-grant.ts'
import { allReservedSql, isRefundableSinceSql } from './refund-rules.ts'
import { usualAmounts } from './usual-amounts.ts'

const { sql } = Prisma

const Computed = RefundPreview.omit({
  needsSecondPerson: true,
  obstacle: true,
  refundableFen: true,
  halfFen: true,
  unusedFen: true,
  daysUsed: true,
})
const readColumns = {
  ...columnsOf(Computed),
  status: oneOf(OrderStatus.options),
  parked: column.boolean,
  tradeType: nullable(column.text),
  tooOld: column.boolean,
  refundCount: column.integer,
  durationDays: column.integer,
  refundedFen: column.integer,
  ownDays: column.integer,
  allReservedFen: column.integer,
}

const previewOf = ({ outTradeNo, amountFen, keepDays }: RefundPreviewQuery): Prisma.Sql => {
  const due = dueDaysSql({
    orderId: sql`o.id`,
    durationDays: sql`o.duration_days`,
    refundedFen: sql`least(o.refunded_fen + ${amountFen}::int, o.amount_fen)`,
    amountFen: sql`o.amount_fen`,
  })
  const end = sql`CASE WHEN d.taken > 0 THEN ${endAfterSql(sql`s.expires_at`, sql`-d.taken`, grantInstantSql)} ELSE s.expires_at END`
  return sql`
    SELECT o.status, o.parked, o.trade_type AS "tradeType", o.amount_fen AS "orderAmountFen", o.refund_reserved_fen AS "reservedFen",
      o.refund_count AS "refundCount", o.duration_days AS "durationDays", o.refunded_fen AS "refundedFen", ${allReservedSql} AS "allReservedFen", coalesce(NOT ${isRefundableSinceSql(sql`o.paid_at`)}, false) AS "tooOld",
      (SELECT coalesce(sum(g.days), 0)::int FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase') AS "ownDays",
      ${takenDaysSql(sql`o.id`)} AS "daysTakenBack", ${unusedDaysSql(sql`o.id`)} AS "daysLeft",
       d.taken AS "daysTaken", s.expires_at AS "expiresBefore", e.after AS "expiresAfter",
      ${remainingDaysSql(sql`s.expires_at`)} AS "remainingBefore", ${remainingDaysSql(sql`e.after`)} AS "remainingAfter",
      (${settingSql('refund_approval_threshold_fen')})::int AS "thresholdFen"
    FROM orders o JOIN subscriptions s ON s.user_id = o.user_id,
      LATERAL (SELECT CASE WHEN ${keepDays}::boolean THEN 0 ELSE ${due} END AS taken) d,
      LATERAL (SELECT ${end} AS after) e
    WHERE o.out_trade_no = ${outTradeNo}`
}

/**
 * What a refund would do if it succeeded now: the days it takes by the rule that takes them, and whether one person may
 * ask for it alone.
 * @throws DomainError order_not_found
 */
export async function previewRefund(pool: Pool, asked: RefundPreviewQuery): Promise<RefundPreview> {
  const [read] = await execute(pool, query('preview-refund', previewOf(asked), readColumns))
  if (!read) throw new DomainError('order_not_found')
  const { status, parked, tradeType, tooOld, refundCount, ownDays, allReservedFen, ...sums } = read
  const { durationDays, refundedFen, ...preview } = sums
  const { orderAmountFen: amountFen, reservedFen } = preview
  const order = { status, parked, tradeType, amountFen, reservedFen }
  const refundableFen = refundableFenOf(order)
  const { daysTakenBack: takenDays, daysLeft: unusedDays } = read
  return {
    ...preview,
    refundableFen,
    ...usualAmounts({ amountFen, durationDays, refundedFen, refundableFen, takenDays, unusedDays }),
    daysUsed: Math.max(0, ownDays - read.daysTakenBack - read.daysLeft),
    needsSecondPerson: allReservedFen + asked.amountFen > read.thresholdFen,
    obstacle: refundObstacleOf({ ...order, tooOld, refundCount, askedFen: asked.amountFen }),
  }
}
