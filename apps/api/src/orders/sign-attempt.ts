import type { PaymentParams } from '@meridian/contracts'
import { MiniProgramError, type VirtualPayments } from '@meridian/payments'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newUlid } from '../platform/ids/new-id.ts'
import type { Services } from '../services.ts'
import { failLease, platformFailure } from './obtain-prepay.ts'
import type { OpenOrder } from './open-order.ts'
import { keepAttempt } from './order-attempts.ts'

export type Signing = {
  order: OpenOrder
  requestId: string
  /** A fresh code of `wx.login`: used up by the call, whatever becomes of it. */
  loginCode: string
  /** Whether a number of this order was signed before: then another one is. The first is the order's own. */
  isFurther: boolean
}

const isWrongCode = ({ reason }: MiniProgramError) => reason === 'invalid_code' || reason === 'other_user'

/**
 * Signs a payment of the order for whoever the login code is of, and keeps it before anybody sees it. The caller holds
 * the lease. Price and item are the order's own (virtual payment, V6). Answers null when the order was paid or closed
 * meanwhile.
 * @throws DomainError invalid_login_code for a code that does not hold or is somebody else's; payment_platform_error,
 *   payment_platform_timeout; the order stays as it was, and no number was used
 */
export async function signAttempt(
  { database: { pool }, recentPurchases }: Pick<Services, 'database' | 'recentPurchases'>,
  virtual: VirtualPayments,
  { order, requestId, loginCode, isFurther }: Signing,
): Promise<PaymentParams | null> {
  const { outTradeNo, amountFen, payerOpenid, virtualProductId } = order
  const number = isFurther ? `M${newUlid()}` : outTradeNo
  try {
    const params = await virtual.signPayment(
      { attemptNo: number, productId: virtualProductId ?? '', amountFen },
      { loginCode, openid: payerOpenid },
    )
    if (!(await keepAttempt(pool, { outTradeNo, number, params, requestId }))) return null
    recentPurchases.signedAttempt({ number, openid: payerOpenid, outTradeNo })
    return params
  } catch (error) {
    if (!(error instanceof MiniProgramError)) throw error
    const failure = isWrongCode(error) ? null : platformFailure(error)
    await failLease(pool, { order, requestId }, { error, failure })
    throw new DomainError(failure ?? 'invalid_login_code', { outTradeNo, cause: error })
  }
}
