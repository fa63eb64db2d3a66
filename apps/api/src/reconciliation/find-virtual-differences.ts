import { Prisma } from '@meridian/db'
import { isAnonymisedSql } from '../orders/anonymise-payer.ts'
import { fallsOnSql } from '../platform/time/business-time.ts'
import { oursAsOrder } from './find-differences.ts'

const { sql } = Prisma

/** A day, and the platform with its environment that the orders were paid at. */
export type VirtualDay = { date: string; platformHost: string }

/** The order `o` counts among the payments of the day by virtual payment. */
export const isPaidVirtuallyOnSql = ({ date, platformHost }: VirtualDay): Prisma.Sql =>
  sql`(o.paid_at IS NOT NULL AND ${fallsOnSql(sql`o.paid_at`, date)} AND o.channel = 'virtual' AND o.platform_host = ${platformHost})`

/** What the platform says of the attempt `t` counts for the day once the day is over. */
export const dayEndSql = (date: string): Prisma.Sql =>
  sql`((${date}::date + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')`
const isAskedSql = ({ date }: Pick<VirtualDay, 'date'>): Prisma.Sql =>
  sql`(t.asked_at >= ${dayEndSql(date)}) IS TRUE`

/** The platform says that it was paid, whatever went back since. */
const isConfirmedSql = sql`t.platform_state IN ('paid', 'delivered', 'refunding', 'refunded')`

/** The platform says the very same of the attempt `t` as the order `o`. */
export const agreesSql = sql`(${isConfirmedSql} AND t.platform_fen = o.amount_fen) IS TRUE`

/** Still to be asked about. Of an erased account nothing can be asked: the question names the payer. */
export const isUnaskedSql = (day: VirtualDay): Prisma.Sql =>
  sql`(NOT ${isAskedSql(day)} AND NOT ${isAnonymisedSql})`

/**
 * What stands for the row of a bill: what the platform said of the attempt `t`. Of an erased account that was not asked
 * about in time it is what the platform confirmed when it was paid.
 */
export const confirmedFenSql = (day: Pick<VirtualDay, 'date'>): Prisma.Sql => sql`
  CASE WHEN ${isAskedSql(day)} THEN CASE WHEN ${isConfirmedSql} THEN t.platform_fen ELSE 0 END
    WHEN ${isAnonymisedSql} THEN o.amount_fen ELSE 0 END`

const theirsAsAnswer = sql`jsonb_build_object('status', t.platform_state, 'amount_fen', t.platform_fen,
  'left_fen', t.platform_left_fen, 'asked_at', t.asked_at)`

/**
 * The channel of the difference `d`, which is its order's: every one of virtual payment is about an order of ours, and
 * WeChat Pay's bills know none of these. A scalar subquery is one look into an index for each row, never a join of all.
 */
export const differenceChannelSql = sql`coalesce(
  (SELECT o.channel FROM orders o WHERE o.out_trade_no = d.out_trade_no), 'jsapi')`

type Found = {
  kind: Prisma.Sql
  action: Prisma.Sql
  gap?: Prisma.Sql
  resolution?: Prisma.Sql
  where: Prisma.Sql
}

/** Payments of the day, with what was said of each. The answer to a question has a subject of its own. */
const found = (day: VirtualDay, { kind, action, gap, resolution, where }: Found): Prisma.Sql => sql`
  SELECT ${kind} AS kind, t.number || ' asked' AS subject, o.out_trade_no, o.transaction_id, NULL AS out_refund_no,
    ${oursAsOrder} AS ours, ${theirsAsAnswer} AS theirs, ${action} AS suggested_action,
    ${gap ?? sql`0`} AS bill_gap_fen, 0 AS ledger_gap_fen, ${resolution ?? sql`NULL`} AS resolution
  FROM orders o JOIN order_attempts t ON t.number = o.paid_attempt_no
  WHERE ${isPaidVirtuallyOnSql(day)} AND ${where}`

/** Paid there too, but another sum. */
export const differingAmountsSql = (day: VirtualDay): Prisma.Sql =>
  found(day, {
    kind: sql`'amount'`,
    action: sql`'check_amount'`,
    gap: sql`t.platform_fen - o.amount_fen`,
    where: sql`${isAskedSql(day)} AND ${isConfirmedSql} AND t.platform_fen <> o.amount_fen`,
  })

/** Paid here, and the platform does not know it, or not as paid. */
export const unconfirmedPaymentsSql = (day: VirtualDay): Prisma.Sql =>
  found(day, {
    kind: sql`CASE t.platform_state WHEN 'no_such_order' THEN 'ours_only' ELSE 'status' END`,
    action: sql`'ask_platform'`,
    gap: sql`-o.amount_fen`,
    where: sql`${isAskedSql(day)} AND NOT ${isConfirmedSql}`,
  })

/**
 * More went back than our refunds hold and than we were told of. Of Apple's payments what is left says nothing: we
 * cannot refund them (virtual payment §1.3).
 */
export const elsewhereRefundedSql = (day: VirtualDay): Prisma.Sql =>
  found(day, {
    kind: sql`'refund'`,
    action: sql`'record_external_refund'`,
    where: sql`${isAskedSql(day)} AND ${isConfirmedSql}
      AND ((t.platform_state IN ('refunding', 'refunded') AND o.refund_reserved_fen = 0)
        OR (t.by_apple IS FALSE AND t.platform_left_fen < o.amount_fen - o.refund_reserved_fen))
      AND NOT EXISTS (SELECT 1 FROM external_refunds e WHERE e.attempt_no = t.number)`,
  })

/** Nobody can be asked about these: said, so that whoever closes the day knows what was not compared. */
export const erasedPayersSql = (day: VirtualDay): Prisma.Sql =>
  found(day, {
    kind: sql`'status'`,
    action: sql`'none'`,
    resolution: sql`'payer_erased'`,
    where: sql`NOT ${isAskedSql(day)} AND ${isAnonymisedSql}`,
  })
