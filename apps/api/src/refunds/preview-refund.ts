import type { RefundObstacle, RefundPreview, RefundPreviewQuery } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { remainingDaysSql } from '../platform/time/remaining-days.ts'
import { settingSql } from '../settings/read-settings.ts'
import { dueDaysSql, takenDaysSql, unusedDaysSql } from '../subscriptions/unused-days.ts'
import { endAfterSql, grantInstantSql } from '../subscriptions/write-grant.ts'
import { allReservedSql } from './refund-target.ts'

const { sql } = Prisma

type Read = Omit<RefundPreview, 'needsSecondPerson' | 'obstacle' | 'refundableFen' | 'daysUsed'> & {
  status: string
  parked: boolean
  tooOld: boolean
  refundCount: number
  ownDays: number
  allReservedFen: number
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
    SELECT o.status, o.parked, o.amount_fen AS "orderAmountFen", o.refund_reserved_fen AS "reservedFen",
      o.refund_count AS "refundCount", ${allReservedSql} AS "allReservedFen", coalesce(o.paid_at <= business_now() - interval '365 days', false) AS "tooOld",
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

/** Why this refund would not be written: the conditions of the request, in the order they are looked at. */
function obstacleOf(read: Read, amountFen: number): RefundObstacle | null {
  if (read.status !== 'paid') return 'not_paid'
  if (read.parked) return 'parked'
  if (read.tooOld) return 'too_old'
  if (read.refundCount >= 50) return 'too_many'
  return read.reservedFen + amountFen > read.orderAmountFen ? 'too_much' : null
}

/**
 * What a refund would do if it succeeded now: the days it takes by the rule that takes them, and whether one person may
 * ask for it alone.
 * @throws DomainError order_not_found
 */
export async function previewRefund(pool: Pool, query: RefundPreviewQuery): Promise<RefundPreview> {
  const [read] = await run<Read>(pool, 'preview-refund', previewOf(query))
  if (!read) throw new DomainError('order_not_found')
  const { status: _status, parked: _parked, tooOld: _tooOld, refundCount: _count, ...rest } = read
  const { ownDays, allReservedFen, ...preview } = rest
  return {
    ...preview,
    refundableFen: read.orderAmountFen - read.reservedFen,
    daysUsed: Math.max(0, ownDays - read.daysTakenBack - read.daysLeft),
    needsSecondPerson: allReservedFen + query.amountFen > read.thresholdFen,
    obstacle: obstacleOf(read, query.amountFen),
  }
}
