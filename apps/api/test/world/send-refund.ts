import { type RefundRequest, requestRefund } from '../../src/refunds/request-refund.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import type { Phone } from './phone.ts'
import type { TestWorld } from './test-world.ts'

type Asked = Pick<RefundRequest, 'outTradeNo' | 'amountFen' | 'operatorId'> & Partial<RefundRequest>

/** A refund that this operator asks for. */
export const askRefund = (world: TestWorld, asked: Asked) =>
  requestRefund(world.services.database.pool, {
    reason: 'user_request',
    note: null,
    keepDays: false,
    requestId: 'test',
    ...asked,
  })

/** A refund that was asked for, sent, and ended well, of which the platform told us. Answers its number. */
export async function refundToItsEnd(world: TestWorld, asked: Asked): Promise<string> {
  const { outRefundNo } = await askRefund(world, asked)
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  const [delivery] = await world.platform.settleRefund(outRefundNo)
  if (delivery?.status !== 204) throw new Error(`the end of ${outRefundNo} was answered ${delivery?.status}`)
  return outRefundNo
}

/** The same of a virtual payment, which we ask about. */
export async function refundVirtualToItsEnd(world: TestWorld, asked: Asked): Promise<string> {
  const { outRefundNo } = await askRefund(world, asked)
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  await world.platform.endVirtualRefund(outRefundNo, 'SUCCESS')
  await trackRefund(world.services, { outRefundNo, attempt: 1 })
  return outRefundNo
}

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
