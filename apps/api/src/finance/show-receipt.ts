import { PaymentChannel, Receipt } from '@meridian/contracts'
import { column, execute, nullable, oneOf, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { settingSql } from '../settings/read-settings.ts'

const receiptColumns = {
  name: nullable(column.text),
  taxId: nullable(column.text),
  outTradeNo: column.text,
  transactionId: nullable(column.text),
  channel: oneOf(PaymentChannel.options),
  planName: column.text,
  days: column.integer,
  amountFen: column.integer,
  refundedFen: column.integer,
  paidAt: column.instant,
  issuedAt: column.instant,
}

/**
 * What a customer is given for the payment of an order, as it stands now.
 * @throws DomainError not_found where there is no such order, or it was never paid
 */
export async function showReceipt(pool: Pool, { outTradeNo }: { outTradeNo: string }): Promise<Receipt> {
  const [row] = await execute(
    pool,
    query(
      'show-receipt',
      Prisma.sql`
      SELECT ${settingSql('company_name')} #>> '{}' AS name, ${settingSql('company_tax_id')} #>> '{}' AS "taxId",
        o.out_trade_no AS "outTradeNo", coalesce(o.transaction_id, t.channel_order_id, o.paid_attempt_no) AS "transactionId", o.channel,
        o.plan_name AS "planName", o.duration_days AS days, o.amount_fen AS "amountFen", o.refunded_fen AS "refundedFen",
        o.paid_at AS "paidAt", business_now() AS "issuedAt"
      FROM orders o LEFT JOIN order_attempts t ON t.number = o.paid_attempt_no
      WHERE o.out_trade_no = ${outTradeNo} AND o.paid_at IS NOT NULL`,
      receiptColumns,
    ),
  )
  if (!row) throw new DomainError('not_found')
  const { name, taxId, ...receipt } = row
  return Receipt.parse({ company: { name: name ?? '', taxId: taxId ?? '' }, ...receipt })
}
