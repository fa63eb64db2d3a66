import { Prisma, part } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { deliveryColumns, type VerifiedDelivery } from '../notifications/record-notification.ts'
import { type Arrival, termsAsAgreed } from './decide-payment.ts'

const { sql } = Prisma

/** A payment that pays whatever order has its terms, with nothing left to decide. */
export type AgreedPayment = {
  payment: ConfirmedPayment
  arrival: Arrival
  terms: NonNullable<ReturnType<typeof termsAsAgreed>>
}

/** The payment as one that may be applied together with others, or null where it has to be decided about by itself. */
export function asAgreed(payment: ConfirmedPayment, arrival: Arrival): AgreedPayment | null {
  if (arrival.refundedElsewhere) return null
  const terms = termsAsAgreed(payment, arrival.env ?? null)
  return terms && { payment, arrival, terms }
}

type ColumnsOf<Row> = Readonly<Record<string, readonly [type: string, valueIn: (row: Row) => unknown]>>

/** By what a payment finds its order: the number it was paid under, and the terms that the order must have. */
const termColumns: ColumnsOf<AgreedPayment> = {
  paid_number: ['text', ({ payment }) => payment.outTradeNo],
  amount_fen: ['int', ({ terms }) => terms.amountFen],
  currency: ['text', ({ terms }) => terms.currency],
  app_id: ['text', ({ terms }) => terms.appId],
  mch_id: ['text', ({ terms }) => terms.mchId],
  payer_openid: ['text', ({ terms }) => terms.payerOpenid],
  product_id: ['text', ({ terms }) => terms.productId],
  payment_no: ['text', ({ payment }) => payment.paymentNo],
  notification_id: ['text', ({ arrival }) => arrival.delivery?.notification.id ?? null],
}

/** The same, what is written into the order, and how the payment arrived. */
const paymentColumns: ColumnsOf<AgreedPayment> = {
  ...termColumns,
  transaction_id: ['text', ({ payment }) => payment.transactionId],
  trade_type: ['text', ({ payment }) => payment.tradeType],
  bank_type: ['text', ({ payment }) => payment.bankType],
  paid_at: ['timestamptz', ({ payment }) => payment.paidAt.toISOString()],
  confirmed_by: ['text', ({ arrival }) => arrival.confirmedBy],
  request_id: ['text', ({ arrival }) => arrival.requestId],
  operator_id: ['uuid', ({ arrival }) => arrival.operatorId ?? null],
}

/** The delivery that told a payment, under the number that was paid. */
type Delivered = { number: string; delivery: VerifiedDelivery }

/** By far the longest part of a payment: apart from the others, so that only the inbox reads it. */
const columnsOfDelivery: ColumnsOf<Delivered> = {
  paid_number: ['text', ({ number }) => number],
  ...Object.fromEntries(
    Object.entries(deliveryColumns).map(([name, [type, valueIn]]) => [
      name,
      [type, ({ delivery }: Delivered) => valueIn(delivery)] as const,
    ]),
  ),
}

/**
 * Rows as a relation, from one array for each column. `OFFSET 0` keeps the planner from looking into the arrays: a plan
 * for any number of them is made once for each connection; otherwise every execution would be planned anew.
 */
function rowsPart<const Name extends string, Row>(name: Name, columns: ColumnsOf<Row>, rows: readonly Row[]) {
  const names = Object.keys(columns)
  const arrays = Object.entries(columns).map(
    ([column, [type, valueIn]]) => sql`${rows.map(valueIn)}::${Prisma.raw(`${type}[] AS ${column}`)}`,
  )
  const given = Prisma.raw(names.map((column) => `given.${column}`).join(', '))
  return part(
    name,
    [],
    sql`
    SELECT listed.* FROM (SELECT ${Prisma.join(arrays)} OFFSET 0) given,
      LATERAL unnest(${given}) AS listed (${Prisma.raw(names.join(', '))})`,
  )
}

/** The payments as the part `payments`, with all that is written of them. */
export const paymentsPart = (agreed: readonly AgreedPayment[]) => rowsPart('payments', paymentColumns, agreed)

/** The same with no more than tells whether they are repeats. */
export const repeatsPart = (agreed: readonly AgreedPayment[]) => rowsPart('payments', termColumns, agreed)

/** The deliveries of those that were notified, as the part `deliveries`: the columns of the inbox. */
export const deliveriesPart = (agreed: readonly AgreedPayment[]) =>
  rowsPart(
    'deliveries',
    columnsOfDelivery,
    agreed.flatMap(({ payment, arrival: { delivery } }) =>
      delivery ? [{ number: payment.outTradeNo, delivery }] : [],
    ),
  )
