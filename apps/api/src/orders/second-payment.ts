import type { ConfirmedBy } from '@meridian/contracts'
import { type Connection, column, execute, type Part, Prisma, part, query } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { isAnonymised } from './anonymise-payer.ts'

const { sql } = Prisma

/** Whether the order's payer made this payment too; who else did is kept nowhere. */
function payerOf(
  { payerOpenid }: ConfirmedPayment,
  ordersPayer: string | null,
): 'same' | 'other' | 'unknown' {
  if (payerOpenid === null || ordersPayer === null || isAnonymised(ordersPayer)) return 'unknown'
  return payerOpenid === ordersPayer ? 'same' : 'other'
}

type Recorded = { outTradeNo: string; source: ConfirmedBy; ordersPayer: string | null }

/**
 * The one writer of second payments, as the part `second` of a statement: a payment of an order that another one had paid.
 * Once per payment, which is known by its transaction, in virtual payment by its attempt; and never one that paid an order.
 */
export const recordSecondPaymentPart = (
  payment: ConfirmedPayment,
  { outTradeNo, source, ordersPayer }: Recorded,
): Part<'second', never> =>
  part(
    'second',
    [],
    sql`
  INSERT INTO second_payments (order_id, transaction_id, amount_fen, payer, source, paid_at)
  SELECT o.id, ${payment.paymentNo}, ${payment.amountFen}::int, ${payerOf(payment, ordersPayer)},
    ${source}::confirmed_by, ${payment.paidAt}::timestamptz
  FROM orders o WHERE o.out_trade_no = ${outTradeNo} AND o.paid_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM orders paid WHERE paid.transaction_id = ${payment.paymentNo} OR paid.paid_attempt_no = ${payment.paymentNo})
  ON CONFLICT (transaction_id) DO NOTHING`,
  )

/** Whether all of this second payment went back, as an expression; `transactionId` is one as well. */
export const isReturnedSql = (transactionId: Prisma.Sql): Prisma.Sql => sql`EXISTS (
  SELECT 1 FROM second_payments p WHERE p.transaction_id = ${transactionId} AND p.amount_fen <= (
    SELECT coalesce(sum(x.amount_fen), 0) FROM refunds x WHERE x.second_payment_id = p.id AND x.status = 'succeeded'))`

/** Whether all of this second payment went back already: then nobody has to look at it any more. */
export async function isReturned(db: Connection, transactionId: string): Promise<boolean> {
  const read = sql`SELECT ${isReturnedSql(sql`${transactionId}`)} AS returned`
  const [row] = await execute(db, query('is-second-payment-returned', read, { returned: column.boolean }))
  return row?.returned ?? false
}

const ofSecondPayment = (refund: Prisma.Sql, column: Prisma.Sql): Prisma.Sql =>
  sql`(SELECT p.${column} FROM second_payments p WHERE p.id = ${refund}.second_payment_id)`

/** The second payment's transaction that a refund returns, as an expression; null for the order's own. */
export const secondTransactionSql = (refund: Prisma.Sql): Prisma.Sql =>
  ofSecondPayment(refund, sql`transaction_id`)

/** The transaction that a refund of the order `o` returns, and the whole sum of it, as expressions. */
export const returnedTransactionSql = (refund: Prisma.Sql): Prisma.Sql =>
  sql`coalesce(${secondTransactionSql(refund)}, o.paid_attempt_no, o.transaction_id)`
export const returnedTotalSql = (refund: Prisma.Sql): Prisma.Sql =>
  sql`coalesce(${ofSecondPayment(refund, sql`amount_fen`)}, o.amount_fen)`

/**
 * Beside each of these numbers another order of the same user, paid within ten minutes of it by the platform's clock:
 * the oldest such one, as a query of `number` and `neighbour`.
 */
export const neighbouringPaymentsSql = (numbers: Prisma.Sql): Prisma.Sql => sql`
  SELECT paid.out_trade_no AS number, other.out_trade_no AS neighbour FROM orders paid, LATERAL (
    SELECT o.out_trade_no FROM orders o WHERE o.user_id = paid.user_id AND o.id <> paid.id AND NOT o.imported
      AND o.paid_at BETWEEN paid.paid_at - interval '10 minutes' AND paid.paid_at + interval '10 minutes'
    ORDER BY o.id LIMIT 1) other
  WHERE paid.out_trade_no = ANY(${numbers})`
