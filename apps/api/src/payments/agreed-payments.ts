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

/** Of each payment the terms of its order, what is written into it, and how it arrived. */
const paymentColumns: ColumnsOf<AgreedPayment> = {
  paid_number: ['text', ({ payment }) => payment.outTradeNo],
  amount_fen: ['int', ({ terms }) => terms.amountFen],
  currency: ['text', ({ terms }) => terms.currency],
  app_id: ['text', ({ terms }) => terms.appId],
  mch_id: ['text', ({ terms }) => terms.mchId],
  payer_openid: ['text', ({ terms }) => terms.payerOpenid],
  product_id: ['text', ({ terms }) => terms.productId],
  transaction_id: ['text', ({ payment }) => payment.transactionId],
  trade_type: ['text', ({ payment }) => payment.tradeType],
  bank_type: ['text', ({ payment }) => payment.bankType],
  paid_at: ['timestamptz', ({ payment }) => payment.paidAt.toISOString()],
  confirmed_by: ['text', ({ arrival }) => arrival.confirmedBy],
  request_id: ['text', ({ arrival }) => arrival.requestId],
  operator_id: ['uuid', ({ arrival }) => arrival.operatorId ?? null],
  notification_id: ['text', ({ arrival }) => arrival.delivery?.notification.id ?? null],
}

/** A payment that was notified, and its evidence: as long as a page of the rest, so that only the inbox reads it. */
type Notified = { number: string; delivery: VerifiedDelivery }

const evidenceColumns: ColumnsOf<Notified> = {
  paid_number: ['text', ({ number }) => number],
  ...Object.fromEntries(
    Object.entries(deliveryColumns).map(([name, [type, valueIn]]) => [
      name,
      [type, ({ delivery }: Notified) => valueIn(delivery)] as const,
    ]),
  ),
}

/**
 * Rows as a relation, from one array for each column. `OFFSET 0` keeps the planner from looking into the arrays: a plan
 * for any number of them is made once for each connection, or every execution would be planned anew.
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

/** The payments, as the part `payments`: for the orders that fit them. */
export const paymentsPart = (agreed: readonly AgreedPayment[]) => rowsPart('payments', paymentColumns, agreed)

/** The evidence of those that were notified, as the part `deliveries`. */
export const deliveriesPart = (agreed: readonly AgreedPayment[]) =>
  rowsPart(
    'deliveries',
    evidenceColumns,
    agreed.flatMap(({ payment, arrival: { delivery } }) =>
      delivery ? [{ number: payment.outTradeNo, delivery }] : [],
    ),
  )
