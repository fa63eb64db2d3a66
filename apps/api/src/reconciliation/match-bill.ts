import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import {
  differingFeesSql,
  differingPaymentsSql,
  differingRefundsSql,
  isPaidOnSql,
  type MatchedDay,
  misbookedPaymentsSql,
  revokedPaymentsSql,
  settledPaymentsSql,
  unbilledOrdersSql,
  unbilledRefundsSql,
  ungrantedOrdersSql,
} from './find-differences.ts'
import {
  confirmedFenSql,
  differenceChannelSql,
  differingAmountsSql,
  elsewhereRefundedSql,
  erasedPayersSql,
  isPaidVirtuallyOnSql,
  isUnaskedSql,
  unconfirmedPaymentsSql,
  type VirtualDay,
} from './find-virtual-differences.ts'

const { sql } = Prisma

/**
 * The one writer of differences, as an insert: `found` is a relation with kind, subject, the three numbers, ours,
 * theirs, suggested_action, bill_gap_fen, ledger_gap_fen and resolution (null: a person must look). What was found
 * before is not found again: it is only brought up to date, and what a person resolved stays resolved. Of a closed
 * day nothing changes any more; what is new comes as an adjustment. Answers `added`.
 */
const recordDifferencesSql = (date: string, found: Prisma.Sql): Prisma.Sql => sql`
  INSERT INTO reconciliation_differences AS known (date, kind, subject, out_trade_no, transaction_id, out_refund_no,
    ours, theirs, suggested_action, bill_gap_fen, ledger_gap_fen, resolution, state, resolved_at, adjustment)
  SELECT DISTINCT ON (kind, subject) d.date, kind::difference_kind, subject, out_trade_no, transaction_id, out_refund_no,
    ours, theirs, suggested_action, bill_gap_fen, ledger_gap_fen, resolution,
    (CASE WHEN resolution IS NULL THEN 'open' ELSE 'resolved' END)::difference_state,
    CASE WHEN resolution IS NOT NULL THEN business_now() END, d.state = 'closed'
  FROM (${found}) found, reconciliation_days d WHERE d.date = ${date}::date
  ORDER BY kind, subject
  ON CONFLICT (date, kind, subject) DO UPDATE SET
    seen_at = business_now(), ours = excluded.ours, theirs = excluded.theirs,
    bill_gap_fen = excluded.bill_gap_fen, ledger_gap_fen = excluded.ledger_gap_fen,
    resolution = CASE WHEN known.resolved_by IS NULL THEN excluded.resolution ELSE known.resolution END,
    state = CASE WHEN known.resolved_by IS NULL THEN excluded.state ELSE known.state END,
    resolved_at = CASE WHEN known.resolved_by IS NULL THEN excluded.resolved_at ELSE known.resolved_at END
  WHERE NOT excluded.adjustment
  RETURNING xmax = 0 AS added, state = 'open' AS open`

/**
 * A day and the channels that this installation has: the merchant of WeChat Pay, the platform of virtual payment. One
 * is at least.
 */
export type DayToMatch = { date: string; mchId: string | null; platformHost: string | null }

/** What there is to compare of each channel: WeChat Pay's bills are all here; of virtual payment the answers so far. */
type Compared = { date: string; billed: MatchedDay | null; asked: VirtualDay | null }

type Comparison = readonly [name: string, found: Prisma.Sql]

/** What is compared with the bills of WeChat Pay, one statement each. */
const billComparisons = (day: MatchedDay): Comparison[] => [
  ['settlements', settledPaymentsSql(day)],
  ['payments', differingPaymentsSql(day)],
  ['unbilled-orders', unbilledOrdersSql(day)],
  ['revocations', revokedPaymentsSql(day)],
  ['ungranted-orders', ungrantedOrdersSql(isPaidOnSql(day))],
  ['refunds', differingRefundsSql(day)],
  ['unbilled-refunds', unbilledRefundsSql(day)],
  ['bookings', misbookedPaymentsSql(day.tradeId)],
  ['fees', differingFeesSql(day.tradeId)],
]

/** What is compared with the answers of virtual payment. */
const answerComparisons = (day: VirtualDay): Comparison[] => [
  ['virtual-amounts', differingAmountsSql(day)],
  ['unconfirmed-payments', unconfirmedPaymentsSql(day)],
  ['refunds-elsewhere', elsewhereRefundedSql(day)],
  ['erased-payers', erasedPayersSql(day)],
  ['ungranted-virtual-orders', ungrantedOrdersSql(isPaidVirtuallyOnSql(day))],
]

export const openDaySql = (date: string): Prisma.Sql =>
  sql`INSERT INTO reconciliation_days (date) VALUES (${date}::date) ON CONFLICT DO NOTHING`

/** The day under its lock, so that nobody closes it meanwhile. */
async function isClosed(client: PoolClient, date: string): Promise<boolean> {
  const [day] = await execute(
    client,
    query(
      'lock-reconciliation-day',
      sql`SELECT state = 'closed' AS closed FROM reconciliation_days WHERE date = ${date}::date FOR UPDATE`,
      { closed: column.boolean },
    ),
  )
  return day?.closed ?? false
}

/** The trade bill of the day that was kept last, once its movements of money are kept too. */
export const tradeBillSql = (date: string): Prisma.Sql => sql`
  SELECT id FROM bills b WHERE b.bill_date = ${date}::date AND b.kind = 'trade' AND b.row_count IS NOT NULL
    AND EXISTS (SELECT 1 FROM bills f WHERE f.bill_date = b.bill_date AND f.kind = 'fund_flow' AND f.row_count IS NOT NULL)
  ORDER BY b.fetched_at DESC, b.id DESC LIMIT 1`

async function findTradeBill(client: PoolClient, date: string): Promise<bigint | null> {
  const [bill] = await execute(client, query('find-trade-bill', tradeBillSql(date), { id: column.bigint }))
  return bill?.id ?? null
}

async function recordAll(client: PoolClient, { date, billed, asked }: Compared): Promise<number> {
  let added = 0
  const comparisons = [...(billed ? billComparisons(billed) : []), ...(asked ? answerComparisons(asked) : [])]
  for (const [name, found] of comparisons) {
    const rows = await execute(
      client,
      query(`match-${name}`, recordDifferencesSql(date, found), {
        added: column.boolean,
        open: column.boolean,
      }),
    )
    added += rows.filter((row) => row.added && row.open).length
  }
  return added
}

/**
 * Differences of this day that were not found this time have ended by themselves, in the channels that were compared.
 * `business_now()` is this transaction's.
 */
const endedDifferences = ({ date, billed, asked }: Compared): Prisma.Sql => sql`
  UPDATE reconciliation_differences d SET bill_gap_fen = 0, ledger_gap_fen = 0, state = 'resolved',
    resolution = coalesce(resolution, 'no_longer_found'), resolved_at = coalesce(resolved_at, business_now())
  WHERE date = ${date}::date AND seen_at < business_now()::timestamptz(3)
    AND CASE ${differenceChannelSql} WHEN 'virtual' THEN ${asked !== null}::boolean ELSE ${billed !== null}::boolean END`

/** What other days missed and this bill shows: the platform booked it on the other side of midnight. */
const explainedElsewhere = ({ date, tradeId }: MatchedDay): Prisma.Sql => sql`
  UPDATE reconciliation_differences d SET state = 'resolved', resolution = 'in_another_bill', resolved_at = business_now()
  WHERE d.state = 'open' AND d.date <> ${date}::date AND d.theirs IS NULL AND (
    (d.kind = 'ours_only' AND d.transaction_id IN (
      SELECT transaction_id FROM bill_rows WHERE bill_id = ${tradeId} AND kind = 'payment'))
    OR (d.kind = 'refund' AND d.out_refund_no IN (
      SELECT out_refund_no FROM bill_rows WHERE bill_id = ${tradeId} AND kind = 'refund')))`

const nothing = { isPaidOn: sql`FALSE`, billFen: sql`0`, isUnasked: sql`FALSE` }

/** One channel of a day: which orders `o` count, and what the platform says was paid. */
const billedSums = (day: MatchedDay) => ({
  isPaidOn: isPaidOnSql(day),
  billFen: sql`(SELECT coalesce(sum(amount_fen), 0) FROM bill_rows WHERE bill_id = ${day.tradeId} AND kind = 'payment')`,
})
const askedSums = (day: VirtualDay) => ({
  isPaidOn: isPaidVirtuallyOnSql(day),
  billFen: sql`(
    SELECT coalesce(sum(${confirmedFenSql(day)}), 0) FROM orders o JOIN order_attempts t ON t.number = o.paid_attempt_no
    WHERE ${isPaidVirtuallyOnSql(day)})`,
  isUnasked: sql`EXISTS (
    SELECT 1 FROM orders o JOIN order_attempts t ON t.number = o.paid_attempt_no
    WHERE ${isPaidVirtuallyOnSql(day)} AND ${isUnaskedSql(day)})`,
})

/**
 * The three sums over both channels: what orders say was paid that day, what the ledger gave days for, and what the
 * platform says: the trade bill, and for virtual payment, which has none that can be read, what it confirmed when it was
 * asked about each order (SPEC §15). The day is matched, and can be closed, when each channel of this installation is: the
 * bills of the one are here, and of the other no order is left to ask about.
 */
const summedDay = ({ date, billed, asked }: Compared, { mchId }: DayToMatch): Prisma.Sql => {
  const bills = billed ? billedSums(billed) : nothing
  const answers = asked ? askedSums(asked) : nothing
  return sql`
  UPDATE reconciliation_days SET
    state = CASE WHEN complete THEN 'matched' ELSE 'open' END::day_state,
    matched_at = CASE WHEN complete THEN business_now() END,
    order_fen = ours.order_fen, ledger_fen = ours.ledger_fen, bill_fen = ${bills.billFen} + ${answers.billFen}
  FROM (
      SELECT coalesce(sum(o.amount_fen), 0) AS order_fen, coalesce(sum(o.amount_fen) FILTER (WHERE EXISTS (
        SELECT 1 FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase')), 0) AS ledger_fen
      FROM orders o WHERE ${bills.isPaidOn} OR ${answers.isPaidOn}) ours,
    (SELECT ${mchId === null || billed !== null}::boolean AND NOT ${answers.isUnasked} AS complete) channels
  WHERE date = ${date}::date
  RETURNING complete`
}

/** `open`: a channel of the day is not complete yet. */
export type MatchVerdict = { state: 'open' | 'matched' | 'closed'; added: number }

async function sumDay(client: PoolClient, compared: Compared, day: DayToMatch): Promise<'open' | 'matched'> {
  const [sums] = await execute(client, query(null, summedDay(compared, day), { complete: column.boolean }))
  return sums?.complete ? 'matched' : 'open'
}

/**
 * Compares what is known of a day from both channels with orders, ledger and refunds; each difference becomes a work
 * item, once. A closed day keeps its figures. Answers how many new items wait for somebody.
 */
export async function matchDay(pool: Pool, day: DayToMatch): Promise<MatchVerdict> {
  const { date, mchId, platformHost } = day
  return inTransaction(pool, async (client) => {
    const closed = await isClosed(client, date)
    const tradeId = mchId === null ? null : await findTradeBill(client, date)
    const billed = mchId === null || tradeId === null ? null : { date, tradeId, mchId }
    const asked = platformHost === null ? null : { date, platformHost }
    const compared = { date, billed, asked }
    const added = await recordAll(client, compared)
    if (billed) await execute(client, query('explain-differences', explainedElsewhere(billed)))
    if (!closed) await execute(client, query('end-differences', endedDifferences(compared)))
    const state = closed ? 'closed' : await sumDay(client, compared, day)
    if (added > 0)
      await execute(client, query('raise-alert', raiseAlertSql('bill_differences', date, { added })))
    return { state, added }
  })
}
