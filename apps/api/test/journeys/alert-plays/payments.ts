import { followPayments } from '../../../src/payments/follow-payment.ts'
import { signedInConsole } from '../../world/console.ts'
import { doDueJobs, doJob } from '../../world/do-jobs.ts'
import { deliver, payInSilence } from '../../world/pay-in-silence.ts'
import { forgetJobs } from '../../world/queued-jobs.ts'
import { orderNumber, repeatable, type SomePlays } from './play.ts'

/** What a payment, or the word of one, raises. */
export const payments = {
  payment_mismatch: {
    subject: orderNumber,
    raise: async (world) => {
      const { outTradeNo } = await payInSilence(world)
      return repeatable(() => deliver(world, outTradeNo, { amountFen: 1 }))
    },
  },
  second_transaction: {
    subject: orderNumber,
    raise: async (world) => {
      const { outTradeNo } = await payInSilence(world)
      await deliver(world, outTradeNo)
      return repeatable(() => deliver(world, outTradeNo, { transactionId: '4200009999999999999999999999' }))
    },
  },
  order_unknown: {
    subject: orderNumber,
    raise: async (world) => {
      const { outTradeNo } = await payInSilence(world)
      return repeatable(() => deliver(world, outTradeNo, { outTradeNo: 'M00000000000000000000000000' }))
    },
  },
  possible_double_payment: {
    subject: /^M\w{3}••••\w{4} M\w{3}••••\w{4}$/,
    raise: async (world) => {
      const phone = await world.phone()
      for (const key of ['one', 'two']) await phone.pays(await phone.buys('monthly', key))
      await doDueJobs(world)
      const [order] = await world.query<{ out_trade_no: string }>('SELECT out_trade_no FROM orders')
      return { again: () => followPayments(world.services.database.pool, [order?.out_trade_no ?? '']) }
    },
  },
  order_parked: {
    subject: orderNumber,
    raise: async (world) => {
      const { phone, outTradeNo } = await payInSilence(world)
      Object.assign(world.platform.orders.get(outTradeNo) ?? {}, { state: 'REFUND' })
      await phone.syncs(outTradeNo)
      await doDueJobs(world)
      const choice = { parkReason: 'refunded_elsewhere', decision: 'leave', note: 'by hand' } as const
      return {
        again: () => doJob(world, 'follow_payment', { outTradeNo }),
        end: async () => {
          const { console: desk } = await signedInConsole(world, { email: 'o@example.com', role: 'operator' })
          await desk.order.decide.mutate({ outTradeNo, ...choice })
        },
      }
    },
  },
  notification_unreadable: {
    subject: /^malformed_envelope$/,
    raise: async (world) => {
      const { outTradeNo } = await payInSilence(world)
      return repeatable(() => deliver(world, outTradeNo, { id: 'EV\0-1' }))
    },
  },
  invariant_violated: {
    subject: /^unpaid_and_forgotten M\w{3}••••\w{4}$/,
    // What is to blame is parked, and no violation any more.
    onceOnly: true,
    raise: async (world) => {
      await (await world.phone()).buys()
      await forgetJobs(world)
      await world.passTime({ hours: 2 })
      return repeatable(() => doJob(world, 'check_invariants', {}))
    },
  },
  clock_skewed: {
    world: { platform: { now: () => new Date(Date.now() + 120_000) } },
    subject: /^127\.••••\d{4}$/,
    raise: async (world) => {
      await (await world.phone()).buys()
      return repeatable(() => doJob(world, 'check_invariants', {}))
    },
  },
} satisfies SomePlays
