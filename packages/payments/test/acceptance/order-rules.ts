import { createMiniProgram, systemRuntime } from '../../src/index.ts'
import { REPEAT_AFTER_SECONDS } from '../../src/testing/index.ts'
import { paid, placed, read } from '../world/orders-in-this-world.ts'
import { anOrder } from '../world/world.ts'
import { holds, type Rule, reasonOf, refusalOf } from './rule.ts'

export const orderRules: readonly Rule[] = [
  {
    number: 9,
    text: 'every call ends in time, has a retry rule, and a repeat cannot make a second order',
    weight: 'must',
    source: '§8.4',
    check: async (world) => {
      const order = anOrder()
      world.platform.faults.add({ kind: 'error_after', at: 'prepay', times: 1 })
      await world.payments.prepay(order)
      world.platform.faults.add({ kind: 'delay', at: 'query', ms: 20_000, outTradeNo: order.outTradeNo })
      const { advice } = await refusalOf(world.payments.queryOrder(order.outTradeNo))
      holds(
        advice === 'ask_again',
        'a call that outlasts its budget must end as a time-out, which means: ask',
      )
    },
  },
  {
    number: 10,
    text: 'without a notification the order is found paid by asking',
    weight: 'must',
    source: '§4.3',
    apiAdds: {
      what: 'the schedule of questions, and the question that "ok" on the phone triggers',
      provenBy: {
        'journeys/order-rules.test.ts': [
          'a lost notification is healed by the sweeper although nobody asks',
          'a lost notification is healed by the sync of the phone',
        ],
      },
    },
    check: async (world) => {
      const { outTradeNo } = await placed(world)
      world.platform.faults.add({ kind: 'drop', at: 'notification', outTradeNo })
      await world.platform.pay(outTradeNo, { once: true })
      holds((await world.payments.queryOrder(outTradeNo)).state === 'paid', 'not found paid')
    },
  },
  {
    number: 11,
    text: 'two calls for one order at the same time make one order',
    weight: 'must',
    source: '§3.2',
    apiAdds: {
      what: 'one order number for two quick taps',
      provenBy: { 'doors/purchase.test.ts': ['two taps without a key, at the same time, make one order'] },
    },
    check: async (world) => {
      const order = anOrder()
      const [one, two] = await Promise.all([world.payments.prepay(order), world.payments.prepay(order)])
      holds(one.prepayId !== '' && two.prepayId !== '', 'one of the two failed')
      holds(world.platform.orders.get(order.outTradeNo)?.prepayIds.length === 2, 'not one order')
    },
  },
  {
    number: 12,
    text: 'orders are found by our number and by the platform’s',
    weight: 'must',
    source: '§4.1',
    check: async (world) => {
      const { outTradeNo } = await placed(world)
      holds((await world.payments.queryOrder(outTradeNo)).state === 'not_paid', 'unpaid order not found')
      await world.platform.pay(outTradeNo, { silent: true })
      const found = await world.payments.queryOrder(outTradeNo)
      if (found.state !== 'paid') throw new Error('paid order not found')
      const byTransaction = await world.payments.queryTransaction(found.payment.paymentNo)
      holds(byTransaction.state === 'paid', 'not found by transaction')
    },
  },
  {
    number: 13,
    text: 'a prepay_id is obtained again with identical parameters',
    weight: 'must',
    source: '§3.2',
    apiAdds: {
      what: 'doing so after two hours',
      provenBy: { 'doors/purchase.test.ts': ['an expired prepay is obtained again for the same order'] },
    },
    check: async (world) => {
      const order = await placed(world)
      await world.payments.prepay(order)
      const { code } = await refusalOf(world.payments.prepay({ ...order, amountFen: 1 }))
      holds(code === 'OUT_TRADE_NO_USED', 'other parameters were taken')
    },
  },
  {
    number: 17,
    text: 'unpaid orders are closed; a paid one cannot be',
    weight: 'should',
    source: '§4.2',
    apiAdds: {
      what: 'asking first, and the schedule',
      provenBy: {
        'journeys/order-rules.test.ts': [
          'an order past its expiry is asked about, closed on the platform and then here',
        ],
      },
    },
    check: async (world) => {
      const [unpaid, done] = [await placed(world), await paid(world)]
      holds((await world.payments.closeOrder(unpaid.outTradeNo)) === 'closed', 'not closed')
      holds((await world.payments.closeOrder(done.outTradeNo)) === 'paid', 'a paid order was closed')
    },
  },
  {
    number: 18,
    text: 'notifications are read far within five seconds; the repeats outlast a day of downtime',
    weight: 'must',
    source: '§5.3, §5.4',
    apiAdds: {
      what: 'the answer: 204, or 4xx/5xx',
      provenBy: {
        'doors/notifications.test.ts': [
          'a verified payment is answered 204 without a body and kept once in the inbox',
          'every answer of the endpoint but 204 has the platform shape',
        ],
      },
    },
    check: async (world) => {
      const { outTradeNo } = await paid(world)
      const delivery = world.platform.notification(outTradeNo)
      const started = performance.now()
      read(world, delivery)
      holds(performance.now() - started < 5_000, 'reading is slow')
      const hours = REPEAT_AFTER_SECONDS.reduce((sum: number, seconds) => sum + seconds, 0) / 3600
      holds(REPEAT_AFTER_SECONDS.length === 15 && hours > 24, 'the schedule is not the platform’s')
    },
  },
  {
    number: 19,
    text: 'probes fail like any wrong signature and are told apart',
    weight: 'must',
    source: '§1.5',
    apiAdds: {
      what: 'refusing it like every wrong signature, without a trace',
      provenBy: { 'doors/notifications.test.ts': ['a delivery with %s is refused and touches no order'] },
    },
    check: async (world) => {
      const { outTradeNo } = await paid(world)
      const probe = world.platform.notification(outTradeNo, { probe: true })
      holds(reasonOf(() => read(world, probe)) === 'probe', 'a probe passed or was not named')
      world.platform.faults.add({ kind: 'probe', at: 'query', times: 1 })
      holds(
        (await world.payments.queryOrder(outTradeNo)).state === 'paid',
        'a probed answer was not asked again',
      )
    },
  },
  {
    number: 27,
    text: 'shipping information can be recorded, and waits where the platform is not ready',
    weight: 'must',
    source: '§9.5',
    apiAdds: {
      what: 'doing so for each paid order',
      provenBy: {
        'journeys/shipping.test.ts': [
          'a paid order is queued once and told once, as virtual goods, on its timeline',
        ],
      },
    },
    check: async (world) => {
      const { outTradeNo, payerOpenid } = await paid(world)
      const found = await world.payments.queryOrder(outTradeNo)
      if (found.state !== 'paid') throw new Error('not paid')
      const { appId, appSecret, apiBaseUrl } = world.settings
      const miniProgram = createMiniProgram({ appId, appSecret, baseUrl: apiBaseUrl }, systemRuntime)
      const shipping = { transactionId: found.payment.paymentNo, payerOpenid, itemDescription: '会员' }
      world.platform.faults.add({ kind: 'shipping_not_ready', at: 'mini_program', times: 1 })
      holds((await refusalOf(miniProgram.uploadShipping(shipping)))['reason'] === 'not_yet', 'told to stop')
      holds((await miniProgram.uploadShipping(shipping)) === 'recorded', 'not recorded')
    },
  },
]
