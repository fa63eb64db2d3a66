import type { AlertKind, ConfirmedBy } from '@meridian/contracts'
import { type Connection, column, execute, oneOf, Prisma, reading, rowsOf, statement } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { raiseAlertPart } from '../alerts/write-alert.ts'
import { enqueueJobPart, jobPayloadSql } from '../jobs/job-table.ts'
import { withoutIdentity } from '../notifications/forget-notifications.ts'
import { recordNotificationParts, type VerifiedDelivery } from '../notifications/record-notification.ts'
import { isAnonymised } from '../orders/anonymise-payer.ts'
import { appendEventsPart } from '../orders/append-event.ts'
import { findPayableOrder, moveOrderParts, orderSnapshotSql } from '../orders/move-order.ts'
import { isReturned, recordSecondPaymentPart } from '../orders/second-payment.ts'
import { measureGrant, measureMove } from '../platform/measures/order-measures.ts'
import { insertSystemRefundPart, trackJob } from '../refunds/request-refund.ts'
import { settingSql } from '../settings/read-settings.ts'
import { purchaseGrantOf, writeGrantParts } from '../subscriptions/write-grant.ts'
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

/** What the loser of a race finds under the lock: the same payment, or another one. */
const outcomeUnderLock = (payment: ConfirmedPayment) =>
  reading(
    ['moved', 'target'],
    Prisma.sql`
  CASE WHEN EXISTS (SELECT 1 FROM moved) THEN 'applied'
       WHEN (SELECT transaction_id FROM target) = ${payment.transactionId} THEN 'already_paid'
       ELSE 'second_transaction' END`,
  )

type PayableArrival = Arrival & { payerDiffers: boolean }

/** What follows a payment; for a relation of orders. */
export const followJob = {
  job: 'follow_payment',
  payload: jobPayloadSql('follow_payment', { outTradeNo: Prisma.sql`out_trade_no` }),
} as const

/**
 * The paid transition: one guarded statement that in itself is the transaction. It locks the order, moves it,
 * writes the grant, extends the subscription, appends to the timeline, keeps the notification and enqueues what
 * follows; whoever comes second changes nothing and learns why.
 */
export function payStatement(payment: ConfirmedPayment, arrival: PayableArrival) {
  const { confirmedBy: channel, requestId, operatorId = null, delivery, payerDiffers } = arrival
  const { outTradeNo } = payment
  const outcome = outcomeUnderLock(payment)
  const trace = { channel, requestId, operatorId }
  const detail = Prisma.sql`jsonb_build_object('transaction_id', transaction_id, 'late', late, 'parked', parked)`
  const goesBack = Prisma.sql`(late AND ${settingSql('late_payment_policy')} = '"refund"'::jsonb)`
  const grantable = reading(['moved'], Prisma.sql`moved WHERE NOT parked AND NOT ${goesBack}`)
  const returnable = reading(['moved'], Prisma.sql`moved WHERE NOT parked AND ${goesBack}`)
  return statement({
    name: delivery ? 'pay-notified' : 'pay',
    parts: [
      ...moveOrderParts(outTradeNo, 'pay', paidChanges(payment, arrival, payerDiffers)),
      ...writeGrantParts(purchaseGrantOf(grantable)),
      appendEventsPart(rowsOf('moved'), { kind: 'pay', trace, detail }),
      insertSystemRefundPart(returnable, 'late_payment'),
      ...(delivery ? recordNotificationParts({ delivery, outTradeNo, outcome }) : []),
      enqueueJobPart('refund_job', rowsOf('returned'), trackJob),
      enqueueJobPart('follow_up', rowsOf('moved'), followJob),
    ],
    select: reading(outcome.reads, Prisma.sql`SELECT ${outcome.sql} AS outcome, business_now() AS now`),
    rows: { outcome: oneOf(['applied', 'already_paid', 'second_transaction']), now: column.instant },
  })
}

async function pay(
  db: Connection,
  payment: ConfirmedPayment,
  arrival: PayableArrival,
): Promise<PaymentVerdict> {
  const { confirmedBy } = arrival
  const [row] = await execute(db, payStatement(payment, arrival))
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
export function refusalStatement(
  payment: ConfirmedPayment,
  { arrival, verdict, detail, ordersPayer = null }: Refused,
) {
  const { confirmedBy: channel, requestId, operatorId = null, delivery } = arrival
  const { outTradeNo, transactionId } = payment
  const newlyAlerted = reading(
    ['alert'],
    Prisma.sql`${orderSnapshotSql(outTradeNo)} standing, alert WHERE alert.opened`,
  )
  const outcome = reading([], Prisma.sql`${verdict}::text`)
  return statement({
    name: `${delivery ? 'refuse-notified-payment' : 'refuse-payment'}-${verdict}`,
    parts: [
      raiseAlertPart(alertKinds[verdict], outTradeNo, { ...detail, transaction_id: transactionId }),
      appendEventsPart(newlyAlerted, {
        kind: verdict,
        trace: { channel, requestId, operatorId },
        detail: Prisma.sql`${JSON.stringify(detail)}::jsonb`,
      }),
      ...(verdict === 'second_transaction'
        ? [recordSecondPaymentPart(payment, { source: channel, ordersPayer })]
        : []),
      ...(delivery ? recordNotificationParts({ delivery, outTradeNo, outcome, detail }) : []),
    ],
  })
}

async function recordRefusal(
  db: Connection,
  payment: ConfirmedPayment,
  refused: Refused,
): Promise<PaymentVerdict> {
  await execute(db, refusalStatement(payment, refused))
  return refused.verdict
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

/** The same payment told once more: kept in the inbox, and nothing else. */
export const repeatStatement = ({ outTradeNo }: ConfirmedPayment, delivery: VerifiedDelivery) => {
  const outcome = reading([], Prisma.sql`'already_paid'`)
  return statement({
    name: 'record-repeated-payment',
    parts: recordNotificationParts({ delivery, outTradeNo, outcome }),
  })
}

async function recordRepeat(
  db: Connection,
  payment: ConfirmedPayment,
  delivery: VerifiedDelivery,
): Promise<void> {
  await execute(db, repeatStatement(payment, delivery))
}
