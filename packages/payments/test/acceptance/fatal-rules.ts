import { createPayments, systemRuntime } from '../../src/index.ts'
import { paid, placed, read, shippedSources } from '../world/orders-in-this-world.ts'
import { anOrder } from '../world/world.ts'
import { errorOf, everyWordOf, holds, type Rule, reasonOf, refusalOf, rejectionOf } from './rule.ts'

export const fatalRules: readonly Rule[] = [
  {
    number: 1,
    text: 'the fourth line of paySign is prepay_id=… with its prefix, under the key that signed the order',
    weight: 'fatal',
    source: '§3.3',
    check: async (world) => {
      const { prepayId, payerOpenid } = await placed(world)
      const params = await world.payments.paymentParams(prepayId)
      holds(params.package === `prepay_id=${prepayId}`, 'the prefix is missing')
      await world.platform.requestPayment(params, { openid: payerOpenid, silent: true })
    },
  },
  {
    number: 2,
    text: 'numbers are unique for ever; a refund tried again keeps its number',
    weight: 'fatal',
    source: '§3.2, §6.2',
    apiAdds: {
      what: 'a refund tried again under its number',
      provenBy: {
        'journeys/refunds.test.ts': [
          'a refund whose answer was lost is submitted again under the same number and refunds once',
        ],
      },
    },
    check: async (world) => {
      const { outTradeNo } = await paid(world)
      const refund = { outRefundNo: `R${outTradeNo}`, outTradeNo, amountFen: 1, totalFen: 7900 }
      world.platform.faults.add({ kind: 'error_after', at: 'refund', times: 1 })
      await world.payments.requestRefund(refund)
      const made = [...world.platform.refunds.values()].filter((one) => one.outTradeNo === outTradeNo)
      holds(made.length === 1, 'a repeat made a second refund')
    },
  },
  {
    number: 3,
    text: 'amounts are integers of fen; no floating point anywhere',
    weight: 'fatal',
    source: '§3.1, §7.4',
    apiAdds: {
      what: 'amounts come from its own plans, never from a client',
      provenBy: { 'doors/purchase.test.ts': ['nothing in the request names another price, user or payer'] },
    },
    check: async (world) => {
      for (const amountFen of [0, -1, 0.5, Number.NaN, 2 ** 60]) {
        const { reason } = await refusalOf(world.payments.prepay(anOrder({ amountFen })))
        holds(reason === 'invalid_request', 'a strange amount was sent')
      }
      holds(!shippedSources().some((text) => /parseFloat|toFixed/.test(text)), 'floating point is used')
    },
  },
  {
    number: 4,
    text: 'a notification is verified before anything in it is used, by the key it names, and always',
    weight: 'fatal',
    source: '§1.4, §5.2',
    check: async (world) => {
      const { outTradeNo } = await paid(world)
      const forged = world.platform.notification(outTradeNo, { wrongKey: true, plaintext: 'not even JSON' })
      holds(reasonOf(() => read(world, forged)) === 'bad_signature', 'something was looked at first')
      const stranger = world.platform.notification(outTradeNo, { serial: '5E'.repeat(20) })
      holds(reasonOf(() => read(world, stranger)) === 'unknown_serial', 'another key was tried')
    },
  },
  {
    number: 5,
    text: 'amount, currency, app id, merchant id and payer of a payment are there to be compared',
    weight: 'fatal',
    source: '§5.2',
    apiAdds: {
      what: 'the comparison with the order, one for all three sources',
      provenBy: {
        'doors/notifications.test.ts': [
          'a payment with another %s is answered 409, recorded with an alert and never activates',
        ],
        'journeys/order-rules.test.ts': [
          'rule 4: what differs from the order never activates, and is recorded, shown and refused; another payer is only flagged',
        ],
      },
    },
    check: async (world) => {
      const { outTradeNo, payerOpenid } = await paid(world)
      const wrong = { amountFen: 1, currency: 'USD', appId: 'wxother', mchId: '1900000000' }
      const notification = read(world, world.platform.notification(outTradeNo, wrong))
      holds(notification.kind === 'payment', 'not read as a payment')
      if (notification.kind !== 'payment') return
      const { amountFen, currency, appId, mchId } = notification.payment
      holds(
        JSON.stringify({ amountFen, currency, appId, mchId }) === JSON.stringify(wrong),
        'a fact was lost',
      )
      holds(notification.payment.payerOpenid === payerOpenid, 'the payer was lost')
    },
  },
  {
    number: 6,
    text: 'keys and secrets come from settings, never from the code, never into a message',
    weight: 'fatal',
    source: '§12.10',
    check: async (world) => {
      const texts = shippedSources()
      holds(
        !texts.some((text) => /console\.|process\.env|BEGIN (RSA )?PRIVATE KEY-----\\n/.test(text)),
        'it logs',
      )
      const { apiV3Keys, merchantPrivateKey } = world.settings
      const [apiV3Key = '', pem = ''] = [apiV3Keys[0], merchantPrivateKey.split('\n')[3]]
      const misspelt = { apiV3Keys: [`${apiV3Key}x`], merchantPrivateKey: `${merchantPrivateKey}x`.slice(40) }
      const notStarted = errorOf(() => createPayments({ ...world.settings, ...misspelt }, systemRuntime))
      const { outTradeNo } = await paid(world)
      const sealedForOthers = world.platform.notification(outTradeNo, { apiV3Key: 'x'.repeat(32) })
      const unread = errorOf(() => read(world, sealedForOthers))
      const ask = () => rejectionOf(world.payments.queryOrder(outTradeNo))
      world.platform.faults.set([{ kind: 'drop' }])
      const unreachable = await ask()
      world.platform.faults.set([{ kind: 'error_before', status: 403 }])
      const errors = [notStarted, unread, unreachable, await ask()]
      for (const words of errors.map(everyWordOf))
        holds(![apiV3Key, pem].some((secret) => words.includes(secret)), 'a secret is in an error')
    },
  },
  {
    number: 7,
    text: 'handling is idempotent: repeats, queries and notifications of one payment say the same',
    weight: 'fatal',
    source: '§5.2, §5.4',
    apiAdds: {
      what: 'the guarded statement that has its effect once',
      provenBy: {
        'journeys/races.test.ts': [
          'one notification a hundred times at once over two processes grants its days once',
        ],
        'journeys/order-rules.test.ts': [
          'rule 1: an order activates exactly once, however notification, sync and sweep repeat',
        ],
      },
    },
    check: async (world) => {
      const { outTradeNo } = await paid(world)
      const [one, two] = [0, 1].map(() => read(world, world.platform.notification(outTradeNo)))
      const asked = await world.payments.queryOrder(outTradeNo)
      holds(one?.id === two?.id, 'a repeat has another id')
      if (one?.kind !== 'payment' || asked.state !== 'paid') throw new Error('not paid')
      const facts = ({ source: _, ...payment }: object & { source: string }) => JSON.stringify(payment)
      holds(facts(one.payment) === facts(asked.payment), 'notification and query differ')
    },
  },
  {
    number: 8,
    text: 'refunds never exceed the order, at most 50 of them, within a year',
    weight: 'fatal',
    source: '§6.2',
    apiAdds: {
      what: 'the sum of the history, held by a database constraint',
      provenBy: {
        'journeys/refunds.test.ts': [
          'the sum of the refunds of an order never exceeds its amount, also when requested at once',
          'an order has at most fifty refunds',
        ],
      },
    },
    check: async (world) => {
      const { outTradeNo } = await paid(world)
      const refund = { outRefundNo: `R${outTradeNo}`, outTradeNo, amountFen: 7901, totalFen: 7900 }
      const { reason } = await refusalOf(world.payments.requestRefund(refund))
      holds(reason === 'invalid_request', 'more than the order was asked for')
    },
  },
  {
    number: 25,
    text: 'callbacks reach the reader unaltered; what was altered is refused',
    weight: 'fatal',
    source: '§11.1, §11.13, §11.14',
    apiAdds: {
      what: 'a raw-body scope of its own for the route',
      provenBy: { 'doors/notifications.test.ts': ['a delivery with %s is refused and touches no order'] },
    },
    check: async (world) => {
      const { outTradeNo } = await paid(world)
      const delivery = world.platform.notification(outTradeNo)
      const anew = { ...delivery, body: JSON.stringify(JSON.parse(delivery.body), null, 2) }
      holds(reasonOf(() => read(world, anew)) === 'bad_signature', 'a body written anew passed')
      const { 'Wechatpay-Nonce': _, ...headers } = delivery.headers
      holds(
        reasonOf(() => read(world, { ...delivery, headers })) === 'headers_missing',
        'a dropped header passed',
      )
    },
  },
]
