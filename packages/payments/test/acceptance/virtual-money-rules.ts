import { createHash } from 'node:crypto'
import type { VirtualRefund } from '../../src/index.ts'
import type { VirtualWorld } from '../world/virtual-world.ts'
import { holds, type Rule, refusalOf } from './rule.ts'

const ask = ({ virtual, openid }: VirtualWorld, number: string) => virtual.queryAttempt(number, openid)
const reason = async (promise: Promise<unknown>) => (await refusalOf(promise))['reason']

const refundOf = (
  { openid }: VirtualWorld,
  attemptNo: string,
  changes: Partial<VirtualRefund> = {},
): VirtualRefund => ({
  outRefundNo: `R${attemptNo}`,
  attemptNo,
  payerOpenid: openid,
  amountFen: 10_000,
  leftFen: 26_800,
  reason: 'users_wish',
  requestedBy: 'staff',
  ...changes,
})

export const virtualMoneyRules: readonly Rule<VirtualWorld>[] = [
  {
    number: 17,
    text: 'what was paid and given back elsewhere is told as both',
    weight: 'must',
    source: 'virtual payment §3.3',
    apiAdds: {
      what: 'paying it without days, and parking it',
      provenBy: {
        'journeys/told-refunds.test.ts': [
          'that is found before it is told parks the order, and then takes the money without days',
        ],
      },
    },
    check: async (world) => {
      const number = await world.buy({ system: 'ios' })
      await world.platform.refundByApple(number)
      const answer = await ask(world, number)
      holds(answer.state === 'refunded' && answer.payment.amountFen === 26_800, 'it is no longer a payment')
      const other = await world.buy()
      await world.virtual.requestRefund(refundOf(world, other))
      holds((await ask(world, other)).state === 'refunded', 'a refund on its way is not told')
    },
  },
  {
    number: 19,
    text: 'a refund names what is left, keeps number and parameters, and is done only when the platform says so of its own number',
    weight: 'fatal',
    source: 'virtual payment §3.3, §3.4',
    apiAdds: {
      what: 'fetching what is left, asking before it repeats, and the sum of the history',
      provenBy: {
        'journeys/virtual-refunds.test.ts': [
          'names what is left, is begun, and succeeds by the push: order, days and timeline follow',
          'whose answer was lost was begun once: it is asked about first',
          'that never arrived is repeated with the very parameters it had, until they are refused',
        ],
        'journeys/refunds.test.ts': [
          'the sum of the refunds of an order never exceeds its amount, also when requested at once',
        ],
      },
    },
    check: async (world) => {
      const number = await world.buy()
      const refund = refundOf(world, number)
      const send = (changes: Partial<VirtualRefund> = {}) =>
        (async () => world.virtual.requestRefund({ ...refund, ...changes }))()
      const find = async () => {
        const found = await world.virtual.queryRefund(refund.outRefundNo, world.openid)
        return found.state === 'known' ? found.refund.status : found.state
      }
      holds((await find()) === 'no_such_refund', 'a refund that was never asked for')
      holds((await reason(send({ leftFen: 10_000 }))) === 'left_changed', 'a wrong rest was taken')
      holds((await reason(send({ amountFen: 26_801 }))) === 'invalid_request', 'more than is left was sent')
      await send()
      holds((await find()) === 'processing', 'begun was taken for done')
      holds((await reason(send())) === 'not_yet', 'a repeat began another')
      await world.platform.endVirtualRefund(refund.outRefundNo)
      holds((await find()) === 'succeeded', 'the end was not found')
      holds((await ask(world, number)).state === 'paid', 'a refund of a part took the payment')
      const { leftFen } = await world.virtual.queryOrder(number, world.openid)
      holds(leftFen === 16_800, 'what is left is another sum')
    },
  },
  {
    number: 20,
    text: 'what Apple took is known as such, and cannot be refunded by us',
    weight: 'must',
    source: 'virtual payment §1.3, §3.4',
    apiAdds: {
      what: 'asking for no such refund, and saying what the user has to do',
      provenBy: {
        'journeys/virtual-refunds.test.ts': [
          'is Apple’s to give back: nobody can ask for it here',
          'is found out when it is asked for: the order says so from then on, and nothing was sent',
        ],
      },
    },
    check: async (world) => {
      const number = await world.buy({ system: 'ios' })
      const { byApple } = await world.virtual.queryOrder(number, world.openid)
      const push = world.pushed.findLast(({ kind }) => kind === 'payment')
      holds(
        byApple && push?.kind === 'payment' && push.payment.goods?.byApple === true,
        'not known as Apple’s',
      )
      const refusal = await reason(world.virtual.requestRefund(refundOf(world, number)))
      holds(refusal === 'not_refundable', 'the refusal is not understood')
    },
  },
  {
    number: 21,
    text: 'Apple’s inquiry is read, and answered flat and sealed with result, words and evidence',
    weight: 'must',
    source: 'virtual payment §4.6',
    apiAdds: {
      what: 'the answer in time from what was used, its setting, and keeping it',
      provenBy: {
        'journeys/apple-inquiries.test.ts': [
          'by a push is answered in time, and Apple understands it',
          'of which nothing was used: let pass; once days were used: refused',
        ],
        'doors/virtual-console.test.ts': [
          'is listed with what was answered and why, newest first, and found by order or attempt',
        ],
      },
    },
    check: async (world) => {
      const number = await world.buy({ system: 'ios' })
      for (const letPass of [true, false]) {
        world.answers.push([200, world.virtual.answerInquiry({ letPass, info: 'info', evidence: '证据' })])
        const heard = await world.platform.askOpinion(number)
        const expected = { result_code: letPass ? 0 : 1, result_info: 'info', evidence: '证据' }
        holds(JSON.stringify(heard) === JSON.stringify(expected), 'Apple does not understand the answer')
      }
      const asked = world.pushed.at(-1)
      holds(asked?.kind === 'inquiry' && asked.inquiry.attemptNo === number, 'the inquiry is not read')
    },
  },
  {
    number: 22,
    text: 'a refund that we did not start is told with the number that was paid',
    weight: 'must',
    source: 'virtual payment §4.5',
    apiAdds: {
      what: 'recording it and taking its days by the one rule',
      provenBy: {
        'journeys/told-refunds.test.ts': [
          'by Apple takes order and days by the one rule, once',
          'of more than is left changes nothing and alarms, until there is room for it',
        ],
      },
    },
    check: async (world) => {
      const number = await world.buy({ system: 'ios' })
      await world.platform.refundByApple(number)
      const push = world.pushed.at(-1)
      if (push?.kind !== 'refund') throw new Error('not read as a refund')
      const { outTradeNo, amountFen, status, outRefundNo, refundId } = push.refund
      holds(`${outTradeNo},${amountFen},${status}` === `${number},26800,succeeded`, 'a fact is lost')
      holds(outRefundNo === refundId && refundId !== '', 'it has no number')
    },
  },
  {
    number: 26,
    text: 'complaints and risk notices are read, with the number and the time that deadlines run from',
    weight: 'must',
    source: 'virtual payment §4.7',
    apiAdds: {
      what: 'alerts with the order and both deadlines',
      provenBy: {
        'doors/push-door.test.ts': [
          'a complaint is an alert with its order and both deadlines',
          'a risk notice and coins, which we never sell, are told too',
        ],
      },
    },
    check: async (world) => {
      const number = await world.buy()
      const before = world.pushed.length
      await world.platform.pushEventOf('complaint', number)
      await world.platform.pushEventOf('risk')
      await world.platform.pushEventOf('coins')
      const [complaint, risk, coins] = world.pushed.slice(before)
      if (complaint?.kind !== 'complaint') throw new Error('not read as a complaint')
      const { attemptNo, complainedAt } = complaint.complaint
      holds(attemptNo === number && complainedAt instanceof Date, 'number or time is lost')
      holds(risk?.kind === 'risk' && risk.risk.type === 'due_diligence', 'the notice is lost')
      holds(coins?.kind === 'coins', 'coins are not told apart')
    },
  },
  {
    number: 27,
    text: 'settlement and fee of an order are told, and bills can be kept as they came',
    weight: 'must',
    source: 'virtual payment §3.2, §3.7',
    apiAdds: {
      what: 'asking about every paid order of a day, keeping all of it, and work items for what differs',
      provenBy: {
        'journeys/virtual-reconciliation.test.ts': [
          'is matched and closed when the bills are here and every order was asked about',
          'each becomes one work item, which explains the sums and ends when it is right again',
          'is asked for from the third day on, daily until it is done, and the fee is kept',
          'of a day are kept compressed, as they came, once',
        ],
      },
    },
    check: async (world) => {
      const number = await world.buy()
      const settlement = async () => (await world.virtual.queryOrder(number, world.openid)).settlement
      holds((await settlement()).state === 'open', 'settled at once')
      world.platform.settleVirtualAfter(0)
      const { state, feeFen, at } = await settlement()
      world.platform.settleVirtualAfter(null)
      holds(state === 'done' && feeFen === 268 && at instanceof Date, 'settlement or fee is lost')
      const china = new Date(world.platform.now().getTime() + 8 * 3_600_000).toISOString()
      const bill = await world.virtual.dailyBill(china.slice(0, 10))
      const raw = await world.virtual.downloadBill(bill.state === 'ready' ? (bill.urls[0] ?? '') : '')
      const hash = createHash('sha1')
      const pieces: Uint8Array[] = []
      for await (const piece of raw.bytes()) pieces.push(piece)
      await raw.discard()
      const bytes = Buffer.concat(pieces)
      holds(hash.update(bytes).digest('hex') === raw.sha1, 'the bytes are not those that came')
      holds(bytes.toString().includes(`${number},`), 'the order is not in the bill of its day')
    },
  },
]
