import type { CloseReason, ConfirmedBy, SyncOutcome } from '@meridian/contracts'
import { type OrderAnswer, type Payments, PaymentsError } from '@meridian/payments'
import { DomainError } from '../domain-error.ts'
import { closeOrder } from '../orders/close-order.ts'
import { platformFailure } from '../orders/obtain-prepay.ts'
import type { Services } from '../services.ts'
import { applyPayment } from './apply-payment.ts'

/** An order whose fate is asked of the platform, and who asks. */
export type Inquiry = {
  outTradeNo: string
  confirmedBy: Extract<ConfirmedBy, 'sync' | 'sweep' | 'admin_sync'>
  requestId: string | null
  operatorId?: string | null
}

type Asked = { outcome: SyncOutcome; answer: OrderAnswer }

async function ask<Answer>(outTradeNo: string, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    throw new DomainError(platformFailure(error), { outTradeNo, cause: error })
  }
}

const paymentsOf = ({ payments }: Services): Payments => {
  if (!payments) throw new DomainError('payment_not_configured')
  return payments
}

async function follow(services: Services, answer: OrderAnswer, inquiry: Inquiry): Promise<SyncOutcome> {
  const { pool } = services.database
  const { outTradeNo, confirmedBy, requestId, operatorId = null } = inquiry
  if (answer.state === 'paid' || answer.state === 'refunded') {
    const arrival = { confirmedBy, requestId, operatorId, refundedElsewhere: answer.state === 'refunded' }
    const verdict = await applyPayment(pool, answer.payment, arrival)
    if (verdict === 'applied') return 'paid'
    return verdict === 'mismatch' || verdict === 'order_unknown' ? 'mismatch' : 'already_paid'
  }
  if (answer.state !== 'closed') return 'unchanged'
  const trace = { channel: confirmedBy, requestId, operatorId }
  return (await closeOrder(pool, { outTradeNo, reason: 'platform_closed', trace })) ? 'closed' : 'unchanged'
}

async function inquire(services: Services, inquiry: Inquiry): Promise<Asked> {
  const payments = paymentsOf(services)
  const answer = await ask(inquiry.outTradeNo, () => payments.queryOrder(inquiry.outTradeNo))
  services.log.info(
    { outTradeNo: inquiry.outTradeNo, platformState: answer.state, platformRequestId: answer.requestId },
    'asked the platform about an order',
  )
  return { answer, outcome: await follow(services, answer, inquiry) }
}

/**
 * Asks the platform about one order and brings it to where the platform says it is.
 * @throws DomainError payment_platform_error, payment_platform_timeout; the order is unchanged then
 */
export const settleOrder = async (services: Services, inquiry: Inquiry): Promise<SyncOutcome> =>
  (await inquire(services, inquiry)).outcome

/**
 * Closes an unpaid order: asks first, closes on the platform, then here. An order that turns out to be paid takes
 * the paid road instead.
 * @throws DomainError as settleOrder
 */
export async function closeUnpaidOrder(
  services: Services,
  inquiry: Inquiry & { reason: CloseReason },
): Promise<SyncOutcome> {
  const { outTradeNo, confirmedBy, requestId, operatorId = null, reason } = inquiry
  const { outcome, answer } = await inquire(services, inquiry)
  if (outcome !== 'unchanged' || answer.state === 'unknown') return outcome
  const payments = paymentsOf(services)
  const closing =
    answer.state === 'not_paid' ? await ask(outTradeNo, () => payments.closeOrder(outTradeNo)) : 'closed'
  if (closing === 'paid') return settleOrder(services, inquiry)
  const trace = { channel: confirmedBy, requestId, operatorId }
  return (await closeOrder(services.database.pool, { outTradeNo, reason, trace })) ? 'closed' : 'unchanged'
}
