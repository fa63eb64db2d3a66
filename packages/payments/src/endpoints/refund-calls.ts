import type { PreferredKey } from '../key-ring/key-ring.ts'
import type { AbnormalRefund, RefundAnswer, RefundQueryAnswer, RefundRequest } from '../payments.ts'
import { PaymentsError } from '../payments-error.ts'
import type { CallParts } from './order-calls.ts'
import * as refunds from './refunds.ts'

/**
 * Asks for a refund (protocol §6). Repeat it with the same numbers until it is answered. Where the platform was busy
 * it may have accepted all the same: the advice is then to ask.
 */
export async function requestRefund(
  { credentials, call }: CallParts,
  refund: RefundRequest,
): Promise<RefundAnswer> {
  try {
    const { content, requestId } = await call(refunds.requestRefund(credentials, refund), refund.signal)
    return { refund: content, requestId }
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.status !== 429) throw error
    const { status, code, requestId } = error
    throw new PaymentsError('refused', { status, code, requestId, advice: 'ask_again', about: 'status 429' })
  }
}

const NO_SUCH_REFUND: ReadonlySet<string | null> = new Set(['RESOURCE_NOT_EXISTS', 'REFUND_NOT_EXIST'])

/** Asks how a refund is doing (protocol §6.3). `no_such_refund`: it was never accepted; send the same one again. */
export async function queryRefund(
  { call }: CallParts,
  outRefundNo: string,
  signal?: AbortSignal,
): Promise<RefundQueryAnswer> {
  try {
    const { content, requestId } = await call(refunds.queryRefund(outRefundNo), signal)
    return { state: 'known', refund: content, requestId }
  } catch (error) {
    if (error instanceof PaymentsError && error.status === 404 && NO_SUCH_REFUND.has(error.code)) {
      return { state: 'no_such_refund', requestId: error.requestId }
    }
    throw error
  }
}

/** Sends the money of an abnormal refund to a bank card (protocol §6.4). */
export async function applyAbnormalRefund(
  { call }: CallParts,
  refund: AbnormalRefund,
  key: PreferredKey | null,
): Promise<RefundAnswer> {
  if (key === null) throw new PaymentsError('invalid_request', { about: 'no platform key to encrypt for' })
  const { content, requestId } = await call(refunds.applyAbnormalRefund(refund, key))
  return { refund: content, requestId }
}
