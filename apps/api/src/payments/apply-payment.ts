import type { ConfirmedBy, PaymentChannel } from '@meridian/contracts'
import { type Connection, column, execute, oneOf, Prisma, reading, rowsOf, statement } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { scheduleJobPart } from '../jobs/due-jobs.ts'
import { enqueueJobPart, jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { withoutIdentity } from '../notifications/forget-notifications.ts'
import { recordNotificationParts } from '../notifications/record-notification.ts'
import { isAnonymised } from '../orders/anonymise-payer.ts'
import { appendEventsPart } from '../orders/append-event.ts'
import { findPayableOrder, moveOrderParts } from '../orders/move-order.ts'
import { payAttemptsPart } from '../orders/order-attempts.ts'
import { watchAttemptsPart } from '../orders/sweep-schedule.ts'
import { measureGrant, measureMove, noteOrder } from '../platform/measures/order-measures.ts'
import { withinTransaction } from '../platform/sql/transaction.ts'
import { applyToldRefunds } from '../refunds/external-refunds.ts'
import { insertSystemRefundPart, trackJob } from '../refunds/request-refund.ts'
import { settingSql } from '../settings/read-settings.ts'
import { purchaseGrantOf, writeGrantParts } from '../subscriptions/write-grant.ts'
import { type Arrival, decidePayment, type PaymentVerdict, traceOfArrival } from './decide-payment.ts'
import { recordUnknownPush } from './record-unknown-push.ts'
import { recordRefusal, recordRepeat, recordSecond } from './refuse-payment.ts'

type PayableArrival = Arrival & { payerDiffers: boolean }
/** A payment, and the number of the order that it pays. */
type Paid = { outTradeNo: string; payment: ConfirmedPayment }

/** Apple's payments cannot be refunded by us: under the policy `refund` a late one waits for somebody, as under `ask`. */
function asksAboutLate({ goods }: ConfirmedPayment): Prisma.Sql {
  const policy = settingSql('late_payment_policy')
  const asks = Prisma.sql`${policy} = '"ask"'::jsonb`
  return goods ? Prisma.sql`(${asks} OR (${goods.byApple}::boolean AND ${policy} = '"refund"'::jsonb))` : asks
}

/** What a payment writes into its order, as expressions. */
type Paying = Record<
  | 'transactionId'
  | 'tradeType'
  | 'bankType'
  | 'paidAt'
  | 'confirmedBy'
  | 'payerDiffers'
  | 'late'
  | 'parkReason',
  Prisma.Sql
> & {
  /** Of virtual payment alone. */
  attemptNo: Prisma.Sql | null
}

/** What is known of an order's payment is written here alone; a move that pays makes these assignments. */
export const paymentChanges = (paying: Paying): Prisma.Sql => Prisma.sql`
    ${paying.attemptNo === null ? Prisma.empty : Prisma.sql`paid_attempt_no = ${paying.attemptNo},`}
    transaction_id = ${paying.transactionId}, trade_type = ${paying.tradeType}, bank_type = ${paying.bankType},
    paid_at = ${paying.paidAt}::timestamptz, confirmed_by = ${paying.confirmedBy}::confirmed_by, confirmed_at = business_now(),
    payer_differs = ${paying.payerDiffers}::boolean, late = ${paying.late}, park_reason = ${paying.parkReason},
    parked = ${paying.parkReason} IS NOT NULL`

const paidChanges = (payment: ConfirmedPayment, arrival: PayableArrival): Prisma.Sql => {
  const late = Prisma.sql`(t.status = 'closed' AND ${payment.paidAt}::timestamptz > o.expires_at)`
  const parkReason = Prisma.sql`(CASE
    WHEN ${arrival.refundedElsewhere ?? false}::boolean THEN 'refunded_elsewhere'
    WHEN ${late} AND ${asksAboutLate(payment)} THEN 'late_payment' END)`
  return paymentChanges({
    attemptNo: payment.channel === 'virtual' ? Prisma.sql`${payment.paymentNo}` : null,
    transactionId: Prisma.sql`${payment.transactionId}`,
    tradeType: Prisma.sql`${payment.tradeType}`,
    bankType: Prisma.sql`${payment.bankType}`,
    paidAt: Prisma.sql`${payment.paidAt}`,
    confirmedBy: Prisma.sql`${arrival.confirmedBy}`,
    payerDiffers: Prisma.sql`${arrival.payerDiffers}`,
    late,
    parkReason,
  })
}

/** Counts a payment that moved its order just now. */
export function countPayment(
  confirmedBy: ConfirmedBy,
  { channel, paidAt }: ConfirmedPayment,
  now: Date,
): void {
  measureMove('pay', channel)
  measureGrant(confirmedBy, { channel, paidAt, now })
}

/** What the loser of a race finds under the lock: the same payment, or another one. */
const outcomeUnderLock = (payment: ConfirmedPayment) =>
  reading(
    ['moved', 'target'],
    Prisma.sql`
  CASE WHEN EXISTS (SELECT 1 FROM moved) THEN 'applied'
       WHEN (SELECT payment_no FROM target) = ${payment.paymentNo} THEN 'already_paid'
       ELSE 'second_transaction' END`,
  )

/** An answered push delivers by itself; who finds the order undelivered after this says so to the platform. */
export const deliveredByPushAfter = Prisma.sql`business_now() + interval '10 seconds'`

/**
 * What payments of virtual payment do beside, for the orders in `moved`: their attempts are paid, others watched, and
 * their delivery is looked after, at once or at `runAt`.
 */
export const attemptParts = (runAt: Prisma.Sql | null) =>
  [
    payAttemptsPart,
    watchAttemptsPart('watch'),
    scheduleJobPart('delivery', rowsOf('moved'), {
      job: 'confirm_delivery',
      payload: jobPayloadSql('confirm_delivery', { attemptNo: Prisma.sql`paid_attempt_no`, attempt: 0 }),
      key: jobKeySql('confirm_delivery', Prisma.sql`paid_attempt_no`),
      ...(runAt && { runAt }),
    }),
  ] as const

/** What follows a payment; for a relation of orders. */
export const followJob = {
  job: 'follow_payment',
  payload: jobPayloadSql('follow_payment', { outTradeNo: Prisma.sql`out_trade_no` }),
  key: jobKeySql('follow_payment', Prisma.sql`out_trade_no`),
} as const

const paymentFacts = Prisma.sql`'transaction_id', transaction_id, 'late', late, 'parked', parked`

/** What the timeline says of a payment, for a relation of orders. */
export const paymentDetail = (channel: PaymentChannel): Prisma.Sql =>
  channel === 'virtual'
    ? Prisma.sql`jsonb_build_object('attempt_no', paid_attempt_no, ${paymentFacts})`
    : Prisma.sql`jsonb_build_object(${paymentFacts})`

/**
 * The paid transition: one guarded statement that in itself is the transaction. It locks the order, moves it,
 * writes the grant, extends the subscription, appends to the timeline, keeps the notification and enqueues what
 * follows; whoever comes second changes nothing and learns why.
 */
export function payStatement({ outTradeNo, payment }: Paid, arrival: PayableArrival) {
  const { delivery } = arrival
  const outcome = outcomeUnderLock(payment)
  const isVirtual = payment.channel === 'virtual'
  const trace = traceOfArrival(arrival)
  const detail = paymentDetail(payment.channel)
  const goesBack = Prisma.sql`(late AND ${settingSql('late_payment_policy')} = '"refund"'::jsonb)`
  const grantable = reading(['moved'], Prisma.sql`moved WHERE NOT parked AND NOT ${goesBack}`)
  const returnable = reading(['moved'], Prisma.sql`moved WHERE NOT parked AND ${goesBack}`)
  return statement({
    name: `${isVirtual ? 'pay-virtual' : 'pay'}${delivery ? '-notified' : ''}`,
    parts: [
      ...moveOrderParts(outTradeNo, 'pay', paidChanges(payment, arrival)),
      ...writeGrantParts(purchaseGrantOf(grantable)),
      appendEventsPart(rowsOf('moved'), { kind: 'pay', trace, detail }),
      insertSystemRefundPart(returnable, 'late_payment'),
      ...(delivery ? recordNotificationParts({ delivery, outTradeNo, outcome }) : []),
      enqueueJobPart('refund_job', rowsOf('returned'), trackJob),
      scheduleJobPart('follow_up', rowsOf('moved'), followJob),
      ...(isVirtual ? attemptParts(delivery ? deliveredByPushAfter : null) : []),
    ],
    select: reading(outcome.reads, Prisma.sql`SELECT ${outcome.sql} AS outcome, business_now() AS now`),
    rows: { outcome: oneOf(['applied', 'already_paid', 'second_transaction']), now: column.instant },
  })
}

/**
 * In virtual payment Apple may have told of a refund before the payment was known here: it is applied together with the
 * payment, under the lock that this took (SPEC §15).
 */
const payVirtually = (db: Connection, paid: Paid, arrival: PayableArrival) =>
  withinTransaction(db, async (client) => {
    const rows = await execute(client, payStatement(paid, arrival))
    if (rows[0]?.outcome === 'applied')
      await applyToldRefunds(client, new Map([[paid.payment.paymentNo, traceOfArrival(arrival)]]))
    return rows
  })

async function pay(db: Connection, paid: Paid, arrival: PayableArrival): Promise<PaymentVerdict> {
  const { confirmedBy } = arrival
  const { payment } = paid
  const [row] =
    payment.channel === 'virtual'
      ? await payVirtually(db, paid, arrival)
      : await execute(db, payStatement(paid, arrival))
  const verdict = row?.outcome ?? 'order_unknown'
  // A replay may be undone again; who replays for good counts it then.
  if (row && verdict === 'applied' && confirmedBy !== 'replay') countPayment(confirmedBy, payment, row.now)
  return verdict
}

/** What may be kept of an arrival about the order of somebody whose account is erased. */
const withoutPayer = (arrival: Arrival, payer: string): Arrival =>
  arrival.delivery ? { ...arrival, delivery: withoutIdentity(arrival.delivery, payer) } : arrival

/**
 * The road of a confirmed payment alone, whoever brought it: one read, a decision, one guarded statement.
 * Answers what became of it; repeating it, in any order and at the same time, changes nothing further.
 */
export async function applyPayment(
  db: Connection,
  payment: ConfirmedPayment,
  asItCame: Arrival,
): Promise<PaymentVerdict> {
  const order = await findPayableOrder(db, payment)
  noteOrder(order?.outTradeNo)
  const decision = decidePayment(order, payment, asItCame.env ?? null)
  const arrival =
    order && isAnonymised(order.payerOpenid) ? withoutPayer(asItCame, order.payerOpenid) : asItCame
  const outTradeNo = order?.outTradeNo ?? payment.outTradeNo
  if (!order && payment.channel === 'virtual' && arrival.delivery)
    return recordUnknownPush(db, arrival.delivery, outTradeNo)
  const second = { outTradeNo, arrival, ordersPayer: order?.payerOpenid ?? null }
  if (decision.verdict === 'pay') {
    const outcome = await pay(
      db,
      { outTradeNo, payment },
      { ...arrival, payerDiffers: decision.payerDiffers },
    )
    return outcome === 'second_transaction' ? recordSecond(db, payment, second) : outcome
  }
  if (decision.verdict === 'already_paid') {
    if (arrival.delivery) await recordRepeat(db, outTradeNo, arrival.delivery)
    return 'already_paid'
  }
  if (decision.verdict === 'second_transaction') return recordSecond(db, payment, second)
  const detail = decision.verdict === 'mismatch' ? { fields: decision.fields, differs: decision.differs } : {}
  return recordRefusal(db, payment, { outTradeNo, arrival, verdict: decision.verdict, detail })
}
