import type {
  CloseReason,
  ConfirmedBy,
  PaymentChannel,
  PlatformReply,
  SyncOutcome,
} from '@meridian/contracts'
import { execute, query } from '@meridian/db'
import type { ConfirmedPayment, OrderAnswer, Payments } from '@meridian/payments'
import { appendRepliesSql, type ReplyKind, type Trace } from '../orders/append-event.ts'
import { closeOrder, orderSnapshotSql } from '../orders/move-order.ts'
import { type FailedCall, failedReply, isFailedCall, platformFailure } from '../orders/obtain-prepay.ts'
import { closeAttempts, listOpenAttempts } from '../orders/order-attempts.ts'
import { watchAttemptsPart } from '../orders/sweep-schedule.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { hasToldRefund } from '../refunds/external-refunds.ts'
import type { Services } from '../services.ts'
import { type AttemptAnswer, askAttempts } from './ask-attempts.ts'

type UnpaidAnswer = Exclude<OrderAnswer, { state: 'paid' | 'refunded' }>

/** What the platform says of an unpaid order, for the timeline. */
const unpaidReply = (answer: UnpaidAnswer): PlatformReply => ({
  answer: answer.state,
  ...(answer.state === 'unknown' && { platform_state: answer.tradeState }),
  platform_request_id: answer.requestId,
})

type Reply = { outTradeNo: string; kind: ReplyKind; trace: Trace; reply: PlatformReply }

/** One line on the timeline. It never fails: the platform's word counts, whether or not it could be told here. */
export async function recordReply(
  { database, log }: Services,
  { outTradeNo, ...told }: Reply,
): Promise<void> {
  try {
    await execute(database.pool, query('record-reply', appendRepliesSql(orderSnapshotSql(outTradeNo), told)))
  } catch (error) {
    log.error({ err: error, outTradeNo }, 'what the platform replied could not be told on the timeline')
  }
}

/** An order whose fate is asked of the platform, and who asks. */
type Inquiry = {
  outTradeNo: string
  channel: PaymentChannel
  confirmedBy: Extract<ConfirmedBy, 'sync' | 'sweep' | 'admin_sync'>
  requestId: string | null
  operatorId?: string | null
  /** Aborts whatever is asked: for who has less time than every question has by itself. */
  signal?: AbortSignal
}

/** What became of a question; the answer where it moved nothing. */
type Asked = { outcome: Exclude<SyncOutcome, 'unchanged'> } | { outcome: 'unchanged'; answer: UnpaidAnswer }

const traceOf = ({ confirmedBy, requestId, operatorId = null }: Inquiry): Trace => ({
  channel: confirmedBy,
  requestId,
  operatorId,
})

type Call<Answer> = { kind: ReplyKind; call: () => Promise<Answer> }

/** Tells the timeline that the platform could not be asked, and ends the story. */
async function fail(
  services: Services,
  inquiry: Inquiry,
  { kind, error }: { kind: ReplyKind; error: FailedCall },
) {
  const { outTradeNo } = inquiry
  await recordReply(services, { outTradeNo, kind, trace: traceOf(inquiry), reply: failedReply(error) })
  return new DomainError(platformFailure(error), { outTradeNo, cause: error })
}

async function ask<Answer>(services: Services, inquiry: Inquiry, { kind, call }: Call<Answer>) {
  try {
    return await call()
  } catch (error) {
    if (!isFailedCall(error)) throw error
    throw await fail(services, inquiry, { kind, error })
  }
}

const paymentsOf = ({ payments }: Services): Payments => {
  if (!payments) throw new DomainError('payment_not_configured')
  return payments
}

type PaidAnswer = { state: 'paid' | 'refunded'; payment: ConfirmedPayment }

const isPaid = <Answer extends { state: string }>(answer: Answer): answer is Answer & PaidAnswer =>
  answer.state === 'paid' || answer.state === 'refunded'

/** Takes what the platform says was paid down the paid road. */
async function followPaid(
  services: Services,
  { state, payment }: PaidAnswer,
  inquiry: Inquiry,
): Promise<Asked> {
  const { pool } = services.database
  const { outTradeNo, confirmedBy, requestId, operatorId = null } = inquiry
  // Apple's refund may have been told before the payment: it explains why the money went back.
  const refundedElsewhere = state === 'refunded' && !(await hasToldRefund(pool, payment))
  const arrival = { confirmedBy, requestId, operatorId, refundedElsewhere, env: services.virtual?.env }
  const verdict = await services.ordersInTurn.run(outTradeNo, () =>
    services.paymentGroups.apply(pool, payment, arrival),
  )
  if (verdict === 'applied' || verdict === 'already_paid') services.recentPurchases.tookPayment(payment)
  if (verdict === 'applied') return { outcome: 'paid' }
  return { outcome: verdict === 'mismatch' || verdict === 'order_unknown' ? 'mismatch' : 'already_paid' }
}

async function follow(services: Services, answer: OrderAnswer, inquiry: Inquiry): Promise<Asked> {
  const { pool } = services.database
  const { outTradeNo } = inquiry
  if (isPaid(answer)) return followPaid(services, answer, inquiry)
  const closing = { outTradeNo, reason: 'platform_closed', trace: traceOf(inquiry) } as const
  if (answer.state === 'closed' && (await closeOrder(pool, closing))) return { outcome: 'closed' }
  return { outcome: 'unchanged', answer }
}

const isFailed = (answer: AttemptAnswer): answer is Extract<AttemptAnswer, { state: 'failed' }> =>
  answer.state === 'failed'

/**
 * Asks about every open attempt (SPEC §15): one that says paid wins, otherwise one failure is a failure of the whole. An
 * attempt that the platform closed is over; its order is not, since another number may be signed.
 */
async function inquireAttempts(services: Services, inquiry: Inquiry): Promise<Asked> {
  const { pool } = services.database
  const { outTradeNo, signal } = inquiry
  const attempts = await listOpenAttempts(pool, outTradeNo)
  const answers = await askAttempts(services, attempts, signal)
  services.log.info(
    { outTradeNo, platformStates: answers.map(({ state }) => state) },
    'asked the platform about attempts',
  )
  const [first, ...seconds] = answers
    .filter(isPaid)
    .toSorted((one, other) => one.payment.paidAt.getTime() - other.payment.paidAt.getTime())
  if (first) {
    const asked = await followPaid(services, first, inquiry)
    for (const second of seconds) await followPaid(services, second, inquiry)
    return asked
  }
  const failed = answers.find(isFailed)
  if (failed) throw await fail(services, inquiry, { kind: 'ask', error: failed.error })
  const closed = attempts.filter((_, index) => answers[index]?.state === 'closed')
  await closeAttempts(
    pool,
    closed.map(({ number }) => number),
  )
  const unclear = answers.find((answer) => answer.state === 'unknown')
  const isKnown = answers.some(({ state }) => state !== 'no_such_order')
  return {
    outcome: 'unchanged',
    answer: unclear ?? { requestId: null, state: isKnown ? 'not_paid' : 'no_such_order' },
  }
}

async function inquire(services: Services, inquiry: Inquiry): Promise<Asked> {
  if (inquiry.channel === 'virtual') return inquireAttempts(services, inquiry)
  const payments = paymentsOf(services)
  const { outTradeNo, signal } = inquiry
  const call = () => payments.queryOrder(outTradeNo, signal)
  const answer = await ask(services, inquiry, { kind: 'ask', call })
  services.log.info(
    { outTradeNo, platformState: answer.state, platformRequestId: answer.requestId },
    'asked the platform about an order',
  )
  return follow(services, answer, inquiry)
}

async function recordUnmoved(services: Services, inquiry: Inquiry, answer: UnpaidAnswer) {
  const { outTradeNo } = inquiry
  const reply = unpaidReply(answer)
  await recordReply(services, { outTradeNo, kind: 'ask', trace: traceOf(inquiry), reply })
  return 'unchanged' as const
}

/**
 * Asks the platform about one order and brings it to where the platform says it is.
 * @throws DomainError payment_platform_error, payment_platform_timeout; the order is unchanged then
 */
export async function settleOrder(services: Services, inquiry: Inquiry): Promise<SyncOutcome> {
  const asked = await inquire(services, inquiry)
  return asked.outcome === 'unchanged' ? recordUnmoved(services, inquiry, asked.answer) : asked.outcome
}

/**
 * Closes an unpaid order: asks first, closes on the platform, then here. An order that turns out to be paid takes
 * the paid road instead. Where the platform calls it neither paid nor unpaid it is left alone, but not past its
 * expiry: nobody can begin to pay it any more, and what a payment that failed leaves behind can only be closed.
 * @throws DomainError as settleOrder
 */
export async function closeUnpaidOrder(
  services: Services,
  inquiry: Inquiry & { reason: CloseReason },
): Promise<SyncOutcome> {
  const { outTradeNo, reason, signal } = inquiry
  const asked = await inquire(services, inquiry)
  if (asked.outcome !== 'unchanged') return asked.outcome
  const { answer } = asked
  const isUnclear = answer.state === 'unknown'
  if (isUnclear && reason !== 'expired') return recordUnmoved(services, inquiry, answer)
  const isOpenThere = answer.state === 'not_paid' || isUnclear
  if (isOpenThere && inquiry.channel === 'jsapi') {
    const payments = paymentsOf(services)
    const call = () => payments.closeOrder(outTradeNo, signal)
    if ((await ask(services, inquiry, { kind: 'close_failed', call })) === 'paid')
      return settleOrder(services, inquiry)
  }
  // Virtual payment has no close call (virtual payment §5): its attempts are watched from now on.
  const follow = inquiry.channel === 'virtual' ? { follow: watchAttemptsPart('follow_up') } : {}
  const closing = { outTradeNo, reason, trace: traceOf(inquiry), ...follow }
  return (await closeOrder(services.database.pool, closing)) ? 'closed' : 'unchanged'
}
