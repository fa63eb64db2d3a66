import { column, execute, type Pool, Prisma, part, query, reading, statement } from '@meridian/db'
import type { ConfirmedPayment, ConfirmedRefund, FundFlowRow, TradeBillRow } from '@meridian/payments'
import { keptSinceSql } from '../platform/time/business-time.ts'
import type { Numbered } from './keep-bill.ts'

const { sql } = Prisma

/** What the bill knows and we do not: whoever stands above this noun settles it. */
export type Settlement = {
  payment: (payment: ConfirmedPayment) => Promise<unknown>
  refund: (refund: ConfirmedRefund) => Promise<unknown>
}

const factsOf = ({ line, row }: Numbered<TradeBillRow>) => ({
  line,
  kind: row.kind,
  traded_at: row.tradedAt,
  transaction_id: row.transactionId,
  out_trade_no: row.outTradeNo,
  out_refund_no: row.kind === 'refund' ? row.refund.outRefundNo : null,
  refund_id: row.kind === 'refund' ? row.refund.refundId : null,
  status: row.kind === 'refund' ? row.refund.status : row.tradeState,
  amount_fen: row.kind === 'refund' ? row.refundFen : row.orderFen,
  settled_fen: row.settledFen,
  fee_hundred_thousandths: row.feeHundredThousandths,
  rate: row.rate,
})

const tradeColumns = Prisma.sql`line, kind, traded_at, transaction_id, out_trade_no, out_refund_no, refund_id, status,
  amount_fen, settled_fen, fee_hundred_thousandths, rate`

/** Keeps rows and answers the ones that say more than we know: payments that are not ours yet, refunds not yet done. */
const keepFacts = (pool: Pool, billId: bigint, facts: ReturnType<typeof factsOf>[]) =>
  execute(
    pool,
    statement({
      name: 'keep-bill-rows',
      parts: [
        part(
          'given',
          [],
          Prisma.sql`
            SELECT * FROM jsonb_to_recordset(${JSON.stringify(facts)}::jsonb) AS r(
              line int, kind text, traded_at timestamptz, transaction_id text, out_trade_no text, out_refund_no text,
              refund_id text, status text, amount_fen bigint, settled_fen bigint, fee_hundred_thousandths bigint, rate text)`,
        ),
        part(
          'kept',
          ['given'],
          Prisma.sql`
            INSERT INTO bill_rows (bill_id, ${tradeColumns}) SELECT ${billId}, ${tradeColumns} FROM given
            ON CONFLICT DO NOTHING`,
        ),
      ],
      select: reading(
        ['given'],
        Prisma.sql`
          SELECT g.line
          FROM given g LEFT JOIN orders o ON o.out_trade_no = g.out_trade_no
            LEFT JOIN refunds f ON f.out_refund_no = g.out_refund_no
          WHERE (g.kind = 'payment' AND o.transaction_id IS DISTINCT FROM g.transaction_id)
            OR (g.kind = 'refund' AND g.status = 'succeeded' AND f.status IN ('approved', 'processing', 'abnormal'))
          ORDER BY g.line`,
      ),
      rows: { line: column.number },
    }),
  )

/** Keeps the rows of a trade bill; what they know and we do not is settled row by row. */
export const tradeRowKeeper =
  (pool: Pool, settle: Settlement) =>
  async (billId: bigint, rows: Numbered<TradeBillRow>[]): Promise<void> => {
    const rowAt = new Map(rows.map(({ line, row }) => [line, row]))
    for (const { line } of await keepFacts(pool, billId, rows.map(factsOf))) {
      const row = rowAt.get(line)
      if (row?.kind === 'payment') await settle.payment(row.payment)
      if (row?.kind === 'refund') await settle.refund(row.refund)
    }
  }

/** Keeps the movements of a fund-flow bill. */
export const flowKeeper =
  (pool: Pool) =>
  async (billId: bigint, rows: Numbered<FundFlowRow>[]): Promise<void> => {
    const flows = rows.map(({ line, row }) => ({
      line,
      booked_at: row.bookedAt,
      business_no: row.businessNo,
      purpose: row.businessName,
      business_type: row.businessType,
      incoming: row.direction === 'in',
      amount_fen: row.amountFen,
    }))
    await execute(
      pool,
      query(
        'keep-bill-flows',
        Prisma.sql`
        INSERT INTO bill_flows (bill_id, line, booked_at, business_no, purpose, business_type, incoming, amount_fen)
        SELECT ${billId}, * FROM jsonb_to_recordset(${JSON.stringify(flows)}::jsonb) AS r(
          line int, booked_at timestamptz, business_no text, purpose text, business_type text, incoming boolean, amount_fen bigint)
        ON CONFLICT DO NOTHING`,
      ),
    )
  }

const compared = (kind: 'bill_rows' | 'bill_flows') =>
  sql`b.bill_date < (${keptSinceSql(kind)} AT TIME ZONE 'Asia/Shanghai')::date`

/** Rows of trade bills that nothing is compared with any more, at most so many at once. */
export const purgeBillRowsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM bill_rows WHERE (bill_id, line) IN (
    SELECT r.bill_id, r.line FROM bills b JOIN bill_rows r ON r.bill_id = b.id WHERE ${compared('bill_rows')} LIMIT ${limit})
  RETURNING 1 AS gone`

/** The same of fund-flow bills. */
export const purgeBillFlowsSql = (limit: number): Prisma.Sql => sql`
  DELETE FROM bill_flows WHERE (bill_id, line) IN (
    SELECT f.bill_id, f.line FROM bills b JOIN bill_flows f ON f.bill_id = b.id WHERE ${compared('bill_flows')} LIMIT ${limit})
  RETURNING 1 AS gone`
