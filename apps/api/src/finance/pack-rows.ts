import {
  ConfirmedBy,
  DayState,
  DifferenceKind,
  DifferenceState,
  type Month,
  PaymentChannel,
  RefundReason,
} from '@meridian/contracts'
import { column, execute, nullable, oneOf, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { withinSql } from '../dashboard/days.ts'
import { feeFenOfOrderSql } from '../orders/order-fee.ts'
import { type Days, lastTradeBillsSql } from './month-sums.ts'

const { sql } = Prisma

const rowsAtOnce = 1000

/** Where a page begins: behind the last row of the one before. */
type Place = { at: Date; id: bigint }
const place = { at: column.instant, id: column.bigint }

/** Rows in the order of `at` and `id`, page after page, so that no more than one page is ever held. */
async function* pages<Row extends Place>(
  source: Prisma.Sql,
  read: (page: Prisma.Sql) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: Row | undefined
  do {
    const behind = last ? sql`("at", id) > (${last.at}::timestamptz, ${last.id}::bigint)` : sql`TRUE`
    const page: Row[] = await read(
      sql`SELECT * FROM (${source}) source WHERE ${behind} ORDER BY "at", id LIMIT ${rowsAtOnce}`,
    )
    yield* page
    last = page.length < rowsAtOnce ? undefined : page.at(-1)
  } while (last)
}

/** A month and, where it is closed, the last line of the timeline that its closing holds. */
export type PackedMonth = { month: Month; days: Days; lineId: bigint | null }

const cameLaterSql = (lineId: bigint | null, told: Prisma.Sql): Prisma.Sql =>
  lineId === null ? sql`false` : sql`EXISTS (SELECT FROM order_events e WHERE e.id > ${lineId} AND ${told})`

const orderColumns = {
  ...place,
  outTradeNo: column.text,
  transactionId: nullable(column.text),
  channel: oneOf(PaymentChannel.options),
  planCode: column.text,
  planName: column.text,
  days: column.integer,
  amountFen: column.integer,
  refundedFen: column.integer,
  feeFen: nullable(column.integer),
  confirmedBy: nullable(oneOf(ConfirmedBy.options)),
  late: column.boolean,
  cameLater: column.boolean,
}
export type PackedOrder = RowOf<typeof orderColumns>

/** Orders paid in the month. */
export const packOrders = (pool: Pool, { days, lineId }: PackedMonth): AsyncGenerator<PackedOrder> =>
  pages(
    sql`
    SELECT o.paid_at AS "at", o.id, o.out_trade_no AS "outTradeNo", coalesce(o.transaction_id, o.paid_attempt_no) AS "transactionId",
      o.channel, o.plan_code AS "planCode", o.plan_name AS "planName", o.duration_days AS days, o.amount_fen AS "amountFen",
      o.refunded_fen AS "refundedFen", ${feeFenOfOrderSql(sql`o`)} AS "feeFen", o.confirmed_by AS "confirmedBy", o.late,
      ${cameLaterSql(lineId, sql`e.order_id = o.id AND e.kind = 'pay'`)} AS "cameLater"
    FROM orders o WHERE ${withinSql(sql`o.paid_at`, days)} AND NOT o.imported`,
    (page) => execute(pool, query(null, page, orderColumns)),
  )

const refundColumns = {
  ...place,
  outRefundNo: column.text,
  platformRefundId: nullable(column.text),
  outTradeNo: column.text,
  channel: oneOf(PaymentChannel.options),
  planCode: column.text,
  amountFen: column.integer,
  reason: oneOf(RefundReason.options),
  cameLater: column.boolean,
}
export type PackedRefund = RowOf<typeof refundColumns>

/** Refunds that succeeded in the month. */
export const packRefunds = (pool: Pool, { days, lineId }: PackedMonth): AsyncGenerator<PackedRefund> =>
  pages(
    sql`
    SELECT r.succeeded_at AS "at", r.id, r.out_refund_no AS "outRefundNo", r.platform_refund_id AS "platformRefundId",
      o.out_trade_no AS "outTradeNo", o.channel, o.plan_code AS "planCode", r.amount_fen AS "amountFen", r.reason_code AS reason,
      ${cameLaterSql(lineId, sql`e.order_id = r.order_id AND e.kind = 'refund' AND e.detail ->> 'out_refund_no' = r.out_refund_no`)} AS "cameLater"
    FROM refunds r JOIN orders o ON o.id = r.order_id
    WHERE r.second_payment_id IS NULL AND ${withinSql(sql`r.succeeded_at`, days)}`,
    (page) => execute(pool, query(null, page, refundColumns)),
  )

const feeColumns = {
  ...place,
  day: column.text,
  channel: oneOf(PaymentChannel.options),
  outTradeNo: column.text,
  transactionId: nullable(column.text),
  outRefundNo: nullable(column.text),
  amountFen: column.number,
  feeYuan: column.number,
  rate: nullable(column.text),
}
export type PackedFee = RowOf<typeof feeColumns>

/** Rows of the trade bills of the month, and what virtual payment settled in it, each with its fee. */
export async function* packFees(pool: Pool, { days }: PackedMonth): AsyncGenerator<PackedFee> {
  const read = (page: Prisma.Sql) => execute(pool, query(null, page, feeColumns))
  yield* pages(
    sql`
    SELECT (b.day::timestamp AT TIME ZONE 'Asia/Shanghai') AS "at", r.line::bigint AS id, b.day::text AS day, 'jsapi'::payment_channel AS channel,
      r.out_trade_no AS "outTradeNo", r.transaction_id AS "transactionId", r.out_refund_no AS "outRefundNo",
      (CASE r.kind WHEN 'refund' THEN -r.amount_fen ELSE r.amount_fen END)::float8 AS "amountFen",
      r.fee_hundred_thousandths::float8 / 100000 AS "feeYuan", r.rate
    FROM (${lastTradeBillsSql(days)}) b JOIN bill_rows r ON r.bill_id = b.id`,
    read,
  )
  yield* pages(
    sql`
    SELECT a.settled_at AS "at", a.order_id AS id, ((a.settled_at AT TIME ZONE 'Asia/Shanghai')::date)::text AS day, o.channel,
      o.out_trade_no AS "outTradeNo", a.channel_order_id AS "transactionId", NULL::text AS "outRefundNo", o.amount_fen::float8 AS "amountFen",
      a.fee_fen::float8 / 100 AS "feeYuan", NULL::text AS rate
    FROM order_attempts a JOIN orders o ON o.id = a.order_id
    WHERE a.fee_fen IS NOT NULL AND ${withinSql(sql`a.settled_at`, days)}`,
    read,
  )
}

const differenceColumns = {
  ...place,
  day: column.text,
  kind: oneOf(DifferenceKind.options),
  state: oneOf(DifferenceState.options),
  outTradeNo: nullable(column.text),
  transactionId: nullable(column.text),
  outRefundNo: nullable(column.text),
  billGapFen: column.number,
  ledgerGapFen: column.number,
  adjustment: column.boolean,
  resolution: nullable(column.text),
  resolvedAt: nullable(column.instant),
}
export type PackedDifference = RowOf<typeof differenceColumns>

/** Differences of the days of the month. */
export const packDifferences = (pool: Pool, { days }: PackedMonth): AsyncGenerator<PackedDifference> =>
  pages(
    sql`
    SELECT (x.date::timestamp AT TIME ZONE 'Asia/Shanghai') AS "at", x.id, x.date::text AS day, x.kind, x.state, x.out_trade_no AS "outTradeNo",
      x.transaction_id AS "transactionId", x.out_refund_no AS "outRefundNo", x.bill_gap_fen::float8 AS "billGapFen",
      x.ledger_gap_fen::float8 AS "ledgerGapFen", x.adjustment, x.resolution, x.resolved_at AS "resolvedAt"
    FROM reconciliation_differences x WHERE x.date BETWEEN ${days.from}::date AND ${days.to}::date`,
    (page) => execute(pool, query(null, page, differenceColumns)),
  )

const closingColumns = {
  day: column.text,
  state: nullable(oneOf(DayState.options)),
  orderFen: nullable(column.number),
  ledgerFen: nullable(column.number),
  billFen: nullable(column.number),
  closedAt: nullable(column.instant),
  closedBy: nullable(column.text),
}
export type PackedDay = RowOf<typeof closingColumns>

/** Every day of the month with how far it is and who closed it. */
export const packDays = (pool: Pool, { days: { from, to } }: PackedMonth): Promise<PackedDay[]> =>
  execute(
    pool,
    query(
      null,
      sql`
      SELECT s.day::text AS day, d.state, d.order_fen::float8 AS "orderFen", d.ledger_fen::float8 AS "ledgerFen",
        d.bill_fen::float8 AS "billFen", d.closed_at AS "closedAt", (SELECT email FROM operators WHERE id = d.closed_by) AS "closedBy"
      FROM (SELECT ${from}::date + n AS day FROM generate_series(0, ${to}::date - ${from}::date) n) s
        LEFT JOIN reconciliation_days d ON d.date = s.day ORDER BY s.day`,
      closingColumns,
    ),
  )

/** The last line of the timeline that the closing of the month holds; null while it is open. */
export async function findClosingLine(pool: Pool, month: Month): Promise<bigint | null> {
  const [found] = await execute(
    pool,
    query(
      'find-closing-line',
      sql`SELECT line_id AS "lineId" FROM month_closings WHERE month = ${`${month}-01`}::date`,
      { lineId: column.bigint },
    ),
  )
  return found?.lineId ?? null
}
