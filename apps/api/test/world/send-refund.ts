import { type RefundRequest, requestRefund } from '../../src/refunds/request-refund.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import type { Phone } from './phone.ts'
import type { TestWorld } from './test-world.ts'

/** A refund that this operator asks for. */
export const askRefund = (
  world: TestWorld,
  asked: Pick<RefundRequest, 'outTradeNo' | 'amountFen' | 'operatorId'> & Partial<RefundRequest>,
) =>
  requestRefund(world.services.database.pool, {
    reason: 'user_request',
    note: null,
    keepDays: false,
    requestId: 'test',
    ...asked,
  })

type Sending = { phone: Phone; operatorId: string; amountFen?: number }

/** A month that was bought and paid, and a refund of it that was sent to the platform. */
export async function sendRefund(world: TestWorld, { phone, operatorId, amountFen = 2900 }: Sending) {
  const outTradeNo = await phone.buysAndPays()
  const { outRefundNo } = await askRefund(world, { outTradeNo, amountFen, operatorId })
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  return { outTradeNo, outRefundNo }
}

export type RefundEnd = 'SUCCESS' | 'CLOSED' | 'ABNORMAL'

/** The platform says an end, signed; answers the status it got. */
export async function sayRefundEnd(
  { platform, services }: TestWorld,
  outRefundNo: string,
  { end, changes = {} }: { end: RefundEnd; changes?: object },
): Promise<number | null> {
  const theirs = platform.refunds.get(outRefundNo)
  if (!theirs) throw new Error('the platform knows the refund')
  Object.assign(theirs, { status: end, succeededAt: end === 'SUCCESS' ? services.runtime.now() : null })
  return (await platform.deliver(platform.refundNotification(outRefundNo, changes))).status
}
