import { OrderStatus, PaymentChannel } from '@meridian/contracts'
import { column, execute, nullable, oneOf, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import type { Fact, Lines } from './told-facts.ts'

const { sql } = Prisma

/**
 * Whether after a line of the timeline its order is paid, closed or has less money, which is what `order.*` tells of. An
 * order that was taken over from another system was paid there, long ago: nobody is told of that as of a sale.
 */
const changesOrderSql = (line: Prisma.Sql) => sql`(
  ${line}.kind = 'refund' OR ${line}.kind <> 'import' AND ${line}.from_status IS DISTINCT FROM ${line}.to_status
  AND ${line}.to_status IN ('paid', 'closed'))`
const [line, earlier] = [sql`e`, sql`p`]
/** The same, and the return of a second payment, which changes no order. */
const isToldSql = sql`(${changesOrderSql(line)} OR e.kind = 'second_payment_refunded')`

const columns = {
  kind: column.text,
  at: column.instant,
  status: oneOf(OrderStatus.options),
  changesOrder: column.boolean,
  seq: column.integer,
  refundedFen: column.integer,
  outRefundNo: nullable(column.text),
  refundFen: nullable(column.integer),
  daysTaken: nullable(column.integer),
  outTradeNo: column.text,
  userId: column.text,
  channel: oneOf(PaymentChannel.options),
  planCode: column.text,
  planName: column.text,
  durationDays: column.integer,
  amountFen: column.integer,
  transactionId: nullable(column.text),
  createdAt: column.instant,
  expiresAt: column.instant,
  paidAt: nullable(column.instant),
  closedAt: nullable(column.instant),
  imported: column.boolean,
}
type Line = RowOf<typeof columns>

/** As the order was after each line: what came later is left out, so that a line read late tells the same. */
const linesSql = ({ after, until }: Lines): Prisma.Sql => sql`
  SELECT e.kind, e.at, e.to_status AS status, ${changesOrderSql(line)} AS "changesOrder",
    (SELECT count(*)::int FROM order_events p
      WHERE p.order_id = e.order_id AND p.id <= e.id AND ${changesOrderSql(earlier)}) AS seq,
    (SELECT coalesce(sum((p.detail ->> 'amount_fen')::int), 0)::int FROM order_events p
      WHERE p.order_id = e.order_id AND p.id <= e.id AND p.kind = 'refund') AS "refundedFen",
    e.detail ->> 'out_refund_no' AS "outRefundNo", (e.detail ->> 'amount_fen')::int AS "refundFen",
    (e.detail ->> 'days_taken')::int AS "daysTaken",
    o.out_trade_no AS "outTradeNo", o.user_id::text AS "userId", o.channel, o.plan_code AS "planCode",
    o.plan_name AS "planName", o.duration_days AS "durationDays", o.amount_fen AS "amountFen",
    CASE WHEN e.to_status IN ('paid', 'refunded') THEN o.transaction_id END AS "transactionId", o.created_at AS "createdAt", o.expires_at AS "expiresAt",
    CASE WHEN e.to_status IN ('paid', 'refunded') THEN o.paid_at END AS "paidAt",
    CASE WHEN e.to_status = 'closed' THEN o.closed_at END AS "closedAt", o.imported
  FROM order_events e JOIN orders o ON o.id = e.order_id
  WHERE e.id > ${after} AND e.id <= ${until} AND ${isToldSql} ORDER BY e.id`

const typeOf = ({ kind, status }: Line) =>
  kind === 'refund' ? 'order.refunded' : status === 'paid' ? 'order.paid' : 'order.closed'

const ofOrder = (line: Line): Fact => ({
  type: typeOf(line),
  subjectKind: 'order',
  subject: line.outTradeNo,
  at: line.at,
  data: {
    seq: line.seq,
    order: {
      out_trade_no: line.outTradeNo,
      user_id: line.userId,
      status: line.status,
      channel: line.channel,
      plan: { code: line.planCode, name: line.planName, duration_days: line.durationDays },
      amount_fen: line.amountFen,
      refunded_fen: line.refundedFen,
      currency: 'CNY',
      transaction_id: line.transactionId,
      created_at: line.createdAt.toISOString(),
      expires_at: line.expiresAt.toISOString(),
      paid_at: line.paidAt?.toISOString() ?? null,
      closed_at: line.closedAt?.toISOString() ?? null,
      imported: line.imported,
    },
  },
})

const ofRefund = ({ at, outRefundNo, refundFen, daysTaken, outTradeNo, userId }: Line): Fact[] =>
  outRefundNo === null || refundFen === null
    ? []
    : [
        {
          type: 'refund.succeeded',
          subjectKind: 'refund',
          subject: outRefundNo,
          at,
          data: {
            seq: 1,
            out_refund_no: outRefundNo,
            out_trade_no: outTradeNo,
            user_id: userId,
            amount_fen: refundFen,
            days_taken: daysTaken ?? 0,
          },
        },
      ]

/** What lines of the timeline tell of orders and refunds. */
export async function readOrderFacts(client: PoolClient, lines: Lines): Promise<Fact[]> {
  const rows = await execute(client, query('read-order-facts', linesSql(lines), columns))
  return rows.flatMap((line) => [...(line.changesOrder ? [ofOrder(line)] : []), ...ofRefund(line)])
}
