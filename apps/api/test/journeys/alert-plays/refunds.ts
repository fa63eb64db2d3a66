import { hire, idOf, signedInConsole } from '../../world/console.ts'
import { doJob } from '../../world/do-jobs.ts'
import { type RefundEnd, sayRefundEnd, sendRefund } from '../../world/send-refund.ts'
import type { TestWorld } from '../../world/test-world.ts'
import { orderNumber, type Play, refundNumber, repeatable, type SomePlays } from './play.ts'

/** The platform ends no refund by itself. */
const untilTold = { platform: { refundsSettleAfterMs: null } }
const email = 'finance@example.com'

async function sent(world: TestWorld) {
  await hire(world, { email, role: 'finance' })
  return sendRefund(world, { phone: await world.phone(), operatorId: await idOf(world, email) })
}

const endingAs = (end: RefundEnd, changes: object = {}): Play => ({
  world: untilTold,
  subject: refundNumber,
  raise: async (world) => {
    const { outRefundNo } = await sent(world)
    return repeatable(() => sayRefundEnd(world, outRefundNo, { end, changes }))
  },
})

/** What becomes of refunds. */
export const refunds = {
  refund_mismatch: endingAs('SUCCESS', { amountFen: 1 }),
  refund_abnormal: { ...endingAs('ABNORMAL'), onceOnly: true },
  refund_closed: { ...endingAs('CLOSED'), onceOnly: true },
  refund_stuck: {
    world: untilTold,
    subject: refundNumber,
    raise: async (world) => {
      world.platform.faults.add({ kind: 'error_before', at: 'refund', status: 403 })
      const { outRefundNo } = await sent(world)
      return { again: () => doJob(world, 'track_refund', { outRefundNo, attempt: 1 }) }
    },
  },
  refund_contradicted: {
    world: untilTold,
    subject: refundNumber,
    raise: async (world) => {
      const { outRefundNo } = await sent(world)
      await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })
      const { again } = await repeatable(() => sayRefundEnd(world, outRefundNo, { end: 'CLOSED' }))
      const end = async () => {
        const { console: finance } = await signedInConsole(world, { email: 'f@example.com', role: 'finance' })
        const note = 'returned by hand'
        await finance.refund.decideContradiction.mutate({ outRefundNo, accept: 'closed', note })
      }
      return { again, end }
    },
  },
  external_refund: {
    world: untilTold,
    subject: orderNumber,
    raise: async (world) => {
      const phone = await world.phone()
      const outTradeNo = await phone.buysAndPays()
      const outRefundNo = 'BY-HAND-1'
      const refund = { outRefundNo, outTradeNo, amountFen: 900, totalFen: 2900 }
      await world.services.payments?.requestRefund(refund)
      return repeatable(() => sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' }))
    },
  },
} satisfies SomePlays
