import type { PaymentChannel } from '@meridian/contracts'
import {
  column,
  execute,
  type Pool,
  type PoolClient,
  Prisma,
  part,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { scheduleJobPart } from '../jobs/due-jobs.ts'
import { deliveryColumns, keepAppliedPart } from '../notifications/record-notification.ts'
import { appendEventsPart } from '../orders/append-event.ts'
import { payOrdersParts } from '../orders/move-order.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { applyToldRefunds } from '../refunds/external-refunds.ts'
import { purchaseGrantOf, writeGrantParts } from '../subscriptions/write-grant.ts'
import {
  attemptParts,
  countPayment,
  deliveredByPushAfter,
  followJob,
  paymentChanges,
  paymentDetail,
} from './apply-payment.ts'
import { type Arrival, termsAsAgreed, traceOfArrival } from './decide-payment.ts'

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

type PaymentColumn = readonly [type: string, valueIn: (agreed: AgreedPayment) => unknown]

/** One row for each payment: the terms of its order, what is written into it, how it arrived, and the evidence. */
const paymentColumns: Readonly<Record<string, PaymentColumn>> = {
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
  ...Object.fromEntries(
    Object.entries(deliveryColumns).map(([name, [type, valueIn]]) => [
      name,
      [type, ({ arrival }: AgreedPayment) => valueIn(arrival.delivery)] as const,
    ]),
  ),
}

const names = Object.keys(paymentColumns)
const listed = Prisma.raw(names.join(', '))

/**
 * The payments as a relation, from one array for each column. `OFFSET 0` keeps the planner from looking into the arrays:
 * a plan for any number of them is made once for each connection, or every execution would be planned anew.
 */
function paymentsPart(agreed: readonly AgreedPayment[]) {
  const arrays = Object.entries(paymentColumns).map(
    ([name, [type, valueIn]]) => sql`${agreed.map(valueIn)}::${Prisma.raw(`${type}[] AS ${name}`)}`,
  )
  const given = Prisma.raw(names.map((name) => `given.${name}`).join(', '))
  return part(
    'payments',
    [],
    sql`
    SELECT payments.* FROM (SELECT ${Prisma.join(arrays)} OFFSET 0) given,
      LATERAL unnest(${given}) AS payments (${listed})`,
  )
}

const changesOf = (channel: PaymentChannel): Prisma.Sql =>
  paymentChanges({
    attemptNo: channel === 'virtual' ? sql`t.paid_number` : null,
    transactionId: sql`t.transaction_id`,
    tradeType: sql`t.trade_type`,
    bankType: sql`t.bank_type`,
    paidAt: sql`t.paid_at`,
    confirmedBy: sql`t.confirmed_by`,
    payerDiffers: sql`FALSE`,
    late: sql`FALSE`,
    parkReason: sql`NULL::text`,
  })

/** Paid and not activated must never be: fails, and undoes all of it, where an order was moved and its days were not granted. */
const allAreGranted = sql`1 / ((SELECT count(*) FROM granted) = (SELECT count(*) FROM moved))::int = 1`

const deliveredAfter = sql`CASE WHEN notification_id IS NULL THEN business_now() ELSE ${deliveredByPushAfter} END`

/**
 * The paid transition of many payments of one channel, each as agreed: one guarded statement that in itself is the
 * transaction. It answers the numbers of those that it applied. Of the others nothing is changed, whatever the reason: an
 * order that is paid, closed, parked, held by somebody else, of other terms, or unknown. They take the road of a payment
 * alone, which decides.
 */
export function payAgreedStatement(channel: PaymentChannel, agreed: readonly AgreedPayment[]) {
  const trace = { channel: sql`confirmed_by::text`, requestId: sql`request_id`, operatorId: sql`operator_id` }
  const isVirtual = channel === 'virtual'
  return statement({
    name: isVirtual ? 'pay-agreed-virtual' : 'pay-agreed',
    parts: [
      paymentsPart(agreed),
      ...payOrdersParts(channel, { changes: changesOf(channel), kept: Object.keys(deliveryColumns) }),
      ...writeGrantParts(purchaseGrantOf(rowsOf('moved'))),
      appendEventsPart(rowsOf('moved'), { kind: 'pay', trace, detail: paymentDetail(channel) }),
      keepAppliedPart('moved'),
      scheduleJobPart('follow_up', rowsOf('moved'), followJob),
      ...(isVirtual ? attemptParts(deliveredAfter) : []),
    ],
    select: reading(
      ['moved', 'granted'],
      sql`SELECT paid_number AS number, out_trade_no AS "outTradeNo", business_now() AS now FROM moved WHERE ${allAreGranted}`,
    ),
    rows: { number: column.text, outTradeNo: column.text, now: column.instant },
  })
}

type Applied = { number: string; outTradeNo: string; now: Date }

/** In virtual payment Apple may have told of refunds before the payments were known here (SPEC §15): applied together. */
async function payVirtually(client: PoolClient, agreed: readonly AgreedPayment[]): Promise<Applied[]> {
  const applied = await execute(client, payAgreedStatement('virtual', agreed))
  const paid = new Set(applied.map(({ number }) => number))
  const traces = agreed
    .filter(({ payment }) => paid.has(payment.outTradeNo))
    .map(({ payment, arrival }) => [payment.paymentNo, traceOfArrival(arrival)] as const)
  if (traces.length > 0) await applyToldRefunds(client, new Map(traces))
  return applied
}

/**
 * Applies payments of one channel, each paid under another number, with one commit. Answers which it applied: the number of
 * the order by the number that was paid. Of the others nothing is changed.
 * @throws whatever the database says; nothing is changed then
 */
export async function payAgreed(
  pool: Pool,
  channel: PaymentChannel,
  agreed: readonly AgreedPayment[],
): Promise<ReadonlyMap<string, string>> {
  const applied =
    channel === 'virtual'
      ? await inTransaction(pool, (client) => payVirtually(client, agreed))
      : await execute(pool, payAgreedStatement(channel, agreed))
  const arrivals = new Map(agreed.map((one) => [one.payment.outTradeNo, one]))
  for (const { number, now } of applied) {
    const { payment, arrival } = arrivals.get(number) ?? {}
    if (payment && arrival) countPayment(arrival.confirmedBy, payment, now)
  }
  return new Map(applied.map(({ number, outTradeNo }) => [number, outTradeNo]))
}
