import type { PaymentParams } from '@meridian/contracts'
import { leasePrepay } from '../orders/obtain-prepay.ts'
import type { OpenOrder, PurchaseIntent } from '../orders/open-order.ts'
import { listAttempts, type OpenAttempt, readParams } from '../orders/order-attempts.ts'
import {
  awaitCallInFlight,
  type PurchaseResult,
  purchasePlan,
  refuseIfSettled,
  waitForFirstCallMs,
} from '../orders/purchase-plan.ts'
import { signAttempt } from '../orders/sign-attempt.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'
import { askAttempts } from './ask-attempts.ts'
import { closeUnpaidOrder, settleOrder } from './settle-order.ts'

/** For all questions to the platform about an earlier order. */
const budgetMs = 5000

/**
 * Buys a plan. Where an order of before is carried on with, the platform is asked first what became of it: whoever is
 * told that it is closed, or is given another number to pay under, may have paid for it already.
 * @throws DomainError as SPEC's purchase lists them
 */
export async function buyPlan(services: Services, intent: PurchaseIntent): Promise<PurchaseResult> {
  const purchase = await purchasePlan(services, intent)
  if (!('unsettled' in purchase)) return purchase
  const { order, unsettled } = purchase
  if (unsettled === 'attempted')
    return signAgain(services, { order, intent, deadline: performance.now() + waitForFirstCallMs })
  const { outTradeNo, channel } = order
  await closeUnpaidOrder(services, {
    outTradeNo,
    channel,
    confirmedBy: 'sync',
    requestId: intent.buyer.requestId,
    reason: unsettled === 'overdue' ? 'expired' : 'superseded',
    signal: AbortSignal.timeout(budgetMs),
  })
  await refuseIfSettled(services.database.pool, outTradeNo)
  // Paid otherwise than agreed, or neither paid nor to be closed: until that is cleared up, nobody is to buy again.
  throw new DomainError('payment_platform_error', { outTradeNo })
}

type Repeat = { order: OpenOrder; intent: PurchaseIntent; deadline: number }

/**
 * A repeat of virtual payment. Within ten seconds, and while the platform does not know the last number, it gets the
 * kept answer byte for byte; otherwise, once no attempt is paid, another number is signed (SPEC §15).
 */
async function signAgain(services: Services, repeat: Repeat): Promise<PurchaseResult> {
  const { order, intent, deadline } = repeat
  const { buyer, loginCode } = intent
  const { virtual, database } = services
  const { pool } = database
  const { outTradeNo } = order
  if (!virtual || loginCode === null) throw new DomainError('payment_not_configured')
  const { requestId } = buyer
  const signal = AbortSignal.timeout(budgetMs)
  const attempts = await listAttempts(pool, outTradeNo)
  const [last] = attempts
  if (last?.params && !(await isKnown(services, { ...order, number: last.number }, signal)))
    return { outTradeNo, paymentParams: readParams(last.params), first: false }
  if (attempts.length > 0) {
    const inquiry = { outTradeNo, channel: 'virtual', confirmedBy: 'sync', requestId } as const
    await settleOrder(services, { ...inquiry, signal })
    await refuseIfSettled(pool, outTradeNo)
  }
  if (!(await leasePrepay(pool, outTradeNo, attempts.length))) {
    // Somebody else signs, or just did: theirs is the answer of both.
    await awaitCallInFlight(pool, { ...order, leased: true }, deadline)
    await refuseIfSettled(pool, outTradeNo)
    return signAgain(services, repeat)
  }
  const signing = { order, requestId, loginCode, isFurther: attempts.length > 0 }
  const paymentParams: PaymentParams | null = await signAttempt(services, virtual, signing)
  if (paymentParams) return { outTradeNo, paymentParams, first: false }
  await refuseIfSettled(pool, outTradeNo)
  throw new DomainError('order_closed', { outTradeNo })
}

/** Whether the sheet was opened for this number. Where that cannot be asked, the kept answer is given once more. */
async function isKnown(services: Services, attempt: OpenAttempt, signal: AbortSignal): Promise<boolean> {
  const [answer] = await askAttempts(services, [attempt], signal)
  return answer?.state !== 'failed' && answer?.state !== 'no_such_order'
}
