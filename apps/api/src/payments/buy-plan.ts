import type { PurchaseIntent } from '../orders/open-order.ts'
import { type PurchaseResult, purchasePlan, refuseIfSettled } from '../orders/purchase-plan.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'
import { closeUnpaidOrder } from './settle-order.ts'

/** For all that is asked about an order whose time has run out. */
const budgetMs = 5000

/**
 * Buys a plan. Where the key names an order whose time has run out, the platform is asked what became of it first:
 * whoever is told that it is closed buys again, and may have paid for it already.
 * @throws DomainError as SPEC's purchase lists them
 */
export async function buyPlan(services: Services, intent: PurchaseIntent): Promise<PurchaseResult> {
  const purchase = await purchasePlan(services, intent)
  if (!('overdue' in purchase)) return purchase
  const { outTradeNo } = purchase
  const { requestId } = intent.buyer
  const signal = AbortSignal.timeout(budgetMs)
  await closeUnpaidOrder(services, {
    outTradeNo,
    confirmedBy: 'sync',
    requestId,
    reason: 'expired',
    signal,
  })
  await refuseIfSettled(services.database.pool, outTradeNo)
  // Paid otherwise than agreed, or neither paid nor to be closed: until that is cleared up, nobody is to buy again.
  throw new DomainError('payment_platform_error', { outTradeNo })
}
