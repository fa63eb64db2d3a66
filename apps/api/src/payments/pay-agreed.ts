import type { PaymentChannel } from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, reading, rowsOf, statement } from '@meridian/db'
import { scheduleJobPart } from '../jobs/due-jobs.ts'
import { keepAppliedPart } from '../notifications/record-in-groups.ts'
import { appendEventsPart } from '../orders/append-event.ts'
import { payOrdersParts } from '../orders/move-order.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { applyToldRefunds } from '../refunds/external-refunds.ts'
import { heldPurchaseGrantOf, writeHeldGrantParts } from '../subscriptions/write-grant.ts'
import { type AgreedPayment, deliveriesPart, paymentsPart } from './agreed-payments.ts'
import {
  attemptParts,
  countPayment,
  deliveredByPushAfter,
  followJob,
  paymentChanges,
  paymentDetail,
} from './apply-payment.ts'
import { traceOfArrival } from './decide-payment.ts'

const { sql } = Prisma

const changesOf = (channel: PaymentChannel): Prisma.Sql =>
  paymentChanges({
    attemptNo: channel === 'virtual' ? sql`t.payment_no` : null,
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

/** The columns of `moved`: whatever grant, timeline, inbox and jobs read of an order and of its payment. */
const shown = sql`
        o.id, o.out_trade_no, o.user_id, o.status, o.plan_code, o.plan_name, o.duration_days, o.features, o.platform_host,
        o.transaction_id, o.paid_attempt_no, o.confirmed_by, o.late, o.parked,
        t.from_status, t.seq, t.expires_before, t.paid_number, t.request_id, t.operator_id, t.notification_id`

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
      deliveriesPart(agreed),
      ...payOrdersParts(channel, { changes: changesOf(channel), shown }),
      ...writeHeldGrantParts(heldPurchaseGrantOf(rowsOf('moved'))),
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
