import { createPayments, systemRuntime } from '../../src/index.ts'
import { paid, placed, read } from '../world/orders-in-this-world.ts'
import { anOrder } from '../world/world.ts'
import { holds, type Rule, reasonOf, refusalOf } from './rule.ts'

const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

export const operationRules: readonly Rule[] = [
  {
    number: 14,
    text: 'refund, its query and its notification; accepted is not succeeded; abnormal has its own way',
    weight: 'must',
    source: '§6',
    check: async (world) => {
      const { outTradeNo } = await paid(world)
      const outRefundNo = `R${outTradeNo}`
      const { refund } = await world.payments.requestRefund({
        outRefundNo,
        outTradeNo,
        amountFen: 5,
        totalFen: 7900,
      })
      holds(refund.status === 'processing', 'accepted was taken for succeeded')
      await world.platform.settleRefund(outRefundNo, 'ABNORMAL')
      const told = read(world, world.platform.refundNotification(outRefundNo))
      holds(told.kind === 'refund' && told.refund.status === 'abnormal', 'abnormal was not told')
      const { refundId } = refund
      await world.payments.applyAbnormalRefund({ refundId, outRefundNo, to: 'merchant_bank_card' })
      const found = await world.payments.queryRefund(outRefundNo)
      holds(found.state === 'known' && found.refund.status === 'processing', 'the other way was not taken')
    },
  },
  {
    number: 15,
    text: 'the trade bill is fetched, checked and converted exactly',
    weight: 'must',
    source: '§7',
    apiAdds: {
      what: 'when, and the comparison with the orders',
      provenBy: {
        'journeys/reconciliation.test.ts': [
          'the clock means the day before its own moment in China, also when it is made up for later',
          'amount: the bill says another sum, to the fen',
        ],
      },
    },
    check: async (world) => {
      const { outTradeNo } = await paid(world)
      world.platform.plantDifferences([{ kind: 'wrong_amount', outTradeNo, byFen: 1 }])
      const bill = await world.payments.tradeBill(today())
      if (bill.state !== 'ready') throw new Error('no bill')
      const amounts: number[] = []
      for await (const row of bill.rows()) {
        if (row.outTradeNo === outTradeNo && row.kind === 'payment') amounts.push(row.orderFen)
      }
      world.platform.plantDifferences([])
      holds(amounts.join() === '7901', 'not one row with the exact amount')
    },
  },
  {
    number: 16,
    text: 'the fund-flow bill is fetched and its bytes can be kept',
    weight: 'should',
    source: '§7.1',
    apiAdds: {
      what: 'keeping them',
      provenBy: {
        'journeys/reconciliation.test.ts': [
          'has three equal sums, no difference, and keeps both bills with their hash and without the payer',
        ],
      },
    },
    check: async (world) => {
      await paid(world)
      const bill = await world.payments.fundFlowBill(today())
      if (bill.state !== 'ready') throw new Error('no bill')
      let bytes = 0
      for await (const piece of bill.bytes()) bytes += piece.length
      await bill.discard()
      holds(bytes > 100, 'no bytes')
    },
  },
  {
    number: 20,
    text: 'public keys and certificates work, side by side too; every call names the key',
    weight: 'must',
    source: '§2.3',
    check: async (world) => {
      const { outTradeNo } = await paid(world)
      for (const share of [0, 1]) {
        world.platform.setRamp(share)
        read(world, world.platform.notification(outTradeNo))
      }
      const unnamed = world.platform.requests.filter(
        ({ path, headers }) => path.startsWith('/v3/') && !headers['wechatpay-serial'],
      )
      holds(unnamed.length === 0, 'a call names no key')
    },
  },
  {
    number: 21,
    text: 'our clock is compared with the platform’s',
    weight: 'should',
    source: '§1.4',
    apiAdds: {
      what: 'showing it to the operators, and an alert beyond a minute',
      provenBy: {
        'journeys/jobs.test.ts': [
          'a clock more than a minute off the platform’s raises one alert, however often it is looked at',
        ],
        'doors/job-and-key-pages.test.ts': [
          'says which keys verify what, until when, and when they last did',
        ],
      },
    },
    check: async (world) => {
      const ahead = { ...systemRuntime, now: () => new Date(Date.now() + 120_000) }
      const payments = createPayments(world.settings, ahead)
      await payments.prepay(anOrder())
      const skew = payments.clockSkewMs() ?? 0
      holds(skew < -100_000 && skew > -140_000, 'the skew is not seen')
    },
  },
  {
    number: 22,
    text: 'the Request-ID of every answer is given to the caller',
    weight: 'should',
    source: '§1.6',
    apiAdds: {
      what: 'keeping it with the order',
      provenBy: {
        'journeys/pay-and-activate.test.ts': [
          'a phone logs in, buys and pays, and the notification activates the subscription',
        ],
      },
    },
    check: async (world) => {
      const { requestId, outTradeNo } = await placed(world)
      const asked = await world.payments.queryOrder(outTradeNo)
      const refused = await refusalOf(world.payments.closeOrder('M01NEVERPLACED'))
      holds(!!requestId && !!asked.requestId && !!refused['requestId'], 'a Request-ID is missing')
    },
  },
  {
    number: 23,
    text: 'User-Agent and Accept always; no nulls; nothing outside three-byte UTF-8',
    weight: 'must',
    source: '§1.1',
    check: async (world) => {
      await placed(world)
      const bare = world.platform.requests.filter(
        ({ headers }) => !headers['user-agent'] || !headers['accept'],
      )
      holds(bare.length === 0, 'a call says too little')
      const { reason } = await refusalOf(world.payments.prepay(anOrder({ description: '😀' })))
      holds(reason === 'invalid_request', 'four-byte text was sent')
      holds(!world.platform.requests.some(({ body }) => body.includes('null')), 'a null was sent')
    },
  },
  {
    number: 24,
    text: 'the notify URL is https, public and without query',
    weight: 'must',
    source: '§3.1',
    apiAdds: {
      what: 'a handler that needs no login',
      provenBy: {
        'doors/notifications.test.ts': [
          'a verified payment is answered 204 without a body and kept once in the inbox',
        ],
      },
    },
    check: async (world) => {
      for (const notifyUrl of ['http://shop.example.com/n', 'https://shop.example.com/n?a=1', 'ftp://x/n']) {
        const start = () => createPayments({ ...world.settings, notifyUrl }, systemRuntime)
        holds(reasonOf(start) !== null, 'a wrong URL was taken')
      }
    },
  },
  {
    number: 26,
    text: 'the backup host is used when the first cannot be reached',
    weight: 'must',
    source: '§8.5',
    apiAdds: {
      what: 'replicas that may die at any moment',
      provenBy: {
        'journeys/jobs.test.ts': [
          'the job of a worker killed with -9 runs again on another once its heartbeat is a minute old',
        ],
      },
    },
    check: async (world) => {
      const hosts: string[] = []
      const refuse: typeof fetch = async (input) => {
        hosts.push(new URL(String(input)).host)
        throw new TypeError('fetch failed')
      }
      const official = { ...world.settings, baseUrl: 'https://api.mch.weixin.qq.com' }
      await refusalOf(createPayments(official, { ...systemRuntime, fetch: refuse }).queryOrder('M01BACKUP'))
      holds(hosts.join() === 'api.mch.weixin.qq.com,api2.mch.weixin.qq.com', 'the backup host was not used')
    },
  },
  {
    number: 28,
    text: 'every movement of money can be traced to the message behind it',
    weight: 'must',
    source: '§5.1',
    apiAdds: {
      what: 'who, when and why, in the inbox and the timeline',
      provenBy: {
        'doors/purchase.test.ts': ['the timeline tells both steps with the request that made them'],
        'doors/notifications.test.ts': [
          'a verified payment is answered 204 without a body and kept once in the inbox',
        ],
      },
    },
    check: async (world) => {
      const { outTradeNo } = await paid(world)
      const told = read(world, world.platform.notification(outTradeNo))
      holds(!!told.id && !!told.serial && told.createdAt instanceof Date, 'the message cannot be named')
      holds(told.kind === 'payment' && told.payment.source === 'notification', 'the source is not named')
    },
  },
]
