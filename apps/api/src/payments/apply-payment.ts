import type { AlertKind, ConfirmedBy } from '@meridian/contracts'
import { type Connection, Prisma, run } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { raiseAlertSql } from '../alerts/raise-alert.ts'
import { enqueueJobSql } from '../jobs/enqueue-job.ts'
import { withoutIdentity } from '../notifications/anonymise-payer.ts'
import { recordNotificationSql, type VerifiedDelivery } from '../notifications/record-notification.ts'
import { isAnonymised } from '../orders/anonymise-payer.ts'
import { appendEventsSql } from '../orders/append-event.ts'
import { findPayableOrder, orderSnapshotSql } from '../orders/find-payable-order.ts'
import { moveOrderSql } from '../orders/move-order.ts'
import { isReturned, recordSecondPaymentSql } from '../orders/second-payment.ts'
import { measureGrant, measureMove } from '../platform/measures/order-measures.ts'
import { insertSystemRefundSql, trackKeySql, trackPayloadSql } from '../refunds/request-refund.ts'
import { settingSql } from '../settings/read-settings.ts'
import { purchaseGrantSql, writeGrantSql } from '../subscriptions/write-grant.ts'
import { decidePayment, type PaymentDecision } from './decide-payment.ts'

export type PaymentVerdict = 'applied' | 'already_paid' | 'order_unknown' | 'mismatch' | 'second_transaction'

/** How a confirmed payment reached us. */
export type Arrival = {
  confirmedBy: ConfirmedBy
  requestId: string | null
  operatorId?: string | null
  /** The evidence to keep, where the platform notified us. */
  delivery?: VerifiedDelivery
  /** The platform says the money went back again by no refund of ours: paid, but no days until somebody decides. */
  refundedElsewhere?: boolean
}

const paidChanges = (payment: ConfirmedPayment, arrival: Arrival, payerDiffers: boolean): Prisma.Sql => {
  const late = Prisma.sql`(t.status = 'closed' AND ${payment.paidAt}::timestamptz > o.expires_at)`
  const parkReason = Prisma.sql`(CASE
    WHEN ${arrival.refundedElsewhere ?? false}::boolean THEN 'refunded_elsewhere'
    WHEN ${late} AND ${settingSql('late_payment_policy')} = '"ask"'::jsonb THEN 'late_payment' END)`
  return Prisma.sql`
    transaction_id = ${payment.transactionId}, trade_type = ${payment.tradeType}, bank_type = ${payment.bankType},
    paid_at = ${payment.paidAt}::timestamptz, confirmed_by = ${arrival.confirmedBy}::confirmed_by, confirmed_at = business_now(),
    payer_differs = ${payerDiffers}::boolean, late = ${late}, park_reason = ${parkReason}, parked = ${parkReason} IS NOT NULL`
}

/** Counts a payment that moved its order just now. */
export function countPayment(confirmedBy: ConfirmedBy, { paidAt }: ConfirmedPayment, now: Date): void {
  measureMove('pay')
  measureGrant(confirmedBy, { paidAt, now })
}

const noInbox = Prisma.sql`inbox AS (SELECT NULL)`

/** What the loser of a race finds under the lock: the same payment, or another one. */
const outcomeUnderLock = (payment: ConfirmedPayment): Prisma.Sql => Prisma.sql`
  CASE WHEN EXISTS (SELECT 1 FROM moved) THEN 'applied'
       WHEN (SELECT transaction_id FROM target) = ${payment.transactionId} THEN 'already_paid'
       ELSE 'second_transaction' END`

/**
 * The paid transition: one guarded statement that in itself is the transaction. It locks the order, moves it,
 * writes the grant, extends the subscription, appends to the timeline, keeps the notification and enqueues what
 * follows; whoever comes second changes nothing and learns why.
 */
async function pay(db: Connection, payment: ConfirmedPayment, arrival: Arrival & { payerDiffers: boolean }) {
  const { confirmedBy, requestId, operatorId = null, delivery, payerDiffers } = arrival
  const outcome = outcomeUnderLock(payment)
  const detail = Prisma.sql`jsonb_build_object('transaction_id', transaction_id, 'late', late, 'parked', parked)`
  const goesBack = Prisma.sql`(late AND ${settingSql('late_payment_policy')} = '"refund"'::jsonb)`
  const grantable = purchaseGrantSql(Prisma.sql`moved WHERE NOT parked AND NOT ${goesBack}`)
  const inbox = delivery
    ? recordNotificationSql({ delivery, outTradeNo: payment.outTradeNo, outcome })
    : noInbox
  const statement = Prisma.sql`
    WITH ${moveOrderSql(payment.outTradeNo, 'pay', paidChanges(payment, arrival, payerDiffers))},
      ${writeGrantSql(grantable)},
      recorded AS (${appendEventsSql(Prisma.sql`moved`, { kind: 'pay', trace: { channel: confirmedBy, requestId, operatorId }, detail })}),
      returned AS (${insertSystemRefundSql(Prisma.sql`moved WHERE NOT parked AND ${goesBack}`, 'late_payment')}),
      ${inbox}
    SELECT ${outcome} AS outcome, business_now() AS now,
      (SELECT ${enqueueJobSql('track_refund', trackPayloadSql, { key: trackKeySql })} FROM returned) AS refund_job,
      (SELECT ${enqueueJobSql('follow_payment', Prisma.sql`json_build_object('outTradeNo', out_trade_no)`)} FROM moved) AS job`
  const rows = await run<{ outcome: PaymentVerdict; now: Date }>(
    db,
    delivery ? 'pay-notified' : 'pay',
    statement,
  )
  const [row] = rows
  const verdict = row?.outcome ?? 'order_unknown'
  // A replay may be undone again; who replays for good counts it then.
  if (row && verdict === 'applied' && confirmedBy !== 'replay') countPayment(confirmedBy, payment, row.now)
  return verdict
}

const alertKinds = {
  mismatch: 'payment_mismatch',
  second_transaction: 'second_transaction',
  order_unknown: 'order_unknown',
} as const satisfies Record<string, AlertKind>

type Refused = { arrival: Arrival; verdict: Refusal; detail: object; ordersPayer?: string | null }

type Refusal = Exclude<PaymentDecision['verdict'], 'pay' | 'already_paid'>

/** Keeps what does not fit: the evidence, an alert, and one line on the order's timeline when the alert is new. */
async function recordRefusal(
  db: Connection,
  payment: ConfirmedPayment,
  { arrival, verdict, detail, ordersPayer = null }: Refused,
): Promise<PaymentVerdict> {
  const { confirmedBy: channel, requestId, operatorId = null, delivery } = arrival
  const { outTradeNo } = payment
  const source = Prisma.sql`${orderSnapshotSql(outTradeNo)} standing, alert WHERE alert.opened`
  const inbox = delivery
    ? recordNotificationSql({ delivery, outTradeNo, outcome: Prisma.sql`${verdict}::text`, detail })
    : noInbox
  const second =
    verdict === 'second_transaction'
      ? Prisma.sql`second AS (${recordSecondPaymentSql(payment, { source: channel, ordersPayer })}),`
      : Prisma.empty
  await run(
    db,
    `${delivery ? 'refuse-notified-payment' : 'refuse-payment'}-${verdict}`,
    Prisma.sql`
      WITH alert AS (${raiseAlertSql(alertKinds[verdict], outTradeNo, { ...detail, transaction_id: payment.transactionId })}),
        recorded AS (${appendEventsSql(source, {
          kind: verdict,
          trace: { channel, requestId, operatorId },
          detail: Prisma.sql`${JSON.stringify(detail)}::jsonb`,
        })}),
        ${second}
        ${inbox}
      SELECT 1`,
  )
  return verdict
}

/** What may be kept of an arrival about the order of somebody whose account is erased. */
const withoutPayer = (arrival: Arrival, payer: string): Arrival =>
  arrival.delivery ? { ...arrival, delivery: withoutIdentity(arrival.delivery, payer) } : arrival

/**
 * The one road of every confirmed payment, whoever brought it: one read, a decision, one guarded statement.
 * Answers what became of it; repeating it, in any order and at the same time, changes nothing further.
 */
export async function applyPayment(
  db: Connection,
  payment: ConfirmedPayment,
  asItCame: Arrival,
): Promise<PaymentVerdict> {
  const order = await findPayableOrder(db, payment.outTradeNo)
  const decision = decidePayment(order, payment)
  const arrival =
    order && isAnonymised(order.payerOpenid) ? withoutPayer(asItCame, order.payerOpenid) : asItCame
  const ordersPayer = order?.payerOpenid ?? null
  if (decision.verdict === 'pay') {
    const outcome = await pay(db, payment, { ...arrival, payerDiffers: decision.payerDiffers })
    if (outcome !== 'second_transaction') return outcome
    return recordSecond(db, payment, { arrival, ordersPayer })
  }
  if (decision.verdict === 'already_paid') {
    if (arrival.delivery) await recordRepeat(db, payment, arrival.delivery)
    return 'already_paid'
  }
  if (decision.verdict === 'second_transaction') return recordSecond(db, payment, { arrival, ordersPayer })
  const detail = decision.verdict === 'mismatch' ? { fields: decision.fields, differs: decision.differs } : {}
  return recordRefusal(db, payment, { arrival, verdict: decision.verdict, detail })
}

/** A second payment is recorded and told; once all of it went back, the platform's repeats are over. */
async function recordSecond(
  db: Connection,
  payment: ConfirmedPayment,
  { arrival, ordersPayer }: Pick<Refused, 'arrival' | 'ordersPayer'>,
): Promise<PaymentVerdict> {
  const verdict = 'second_transaction'
  if (!(await isReturned(db, payment.transactionId)))
    return recordRefusal(db, payment, { arrival, verdict, detail: {}, ordersPayer: ordersPayer ?? null })
  if (arrival.delivery) await recordRepeat(db, payment, arrival.delivery)
  return 'already_paid'
}

async function recordRepeat(
  db: Connection,
  payment: ConfirmedPayment,
  delivery: VerifiedDelivery,
): Promise<void> {
  const outcome = Prisma.sql`'already_paid'`
  const parts = recordNotificationSql({ delivery, outTradeNo: payment.outTradeNo, outcome })
  await run(db, 'record-repeated-payment', Prisma.sql`WITH ${parts} SELECT 1`)
}
