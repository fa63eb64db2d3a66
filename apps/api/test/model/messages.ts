import type { Notification } from '@meridian/payments/testing'
import { dryRunReplay, replayNotification } from '../../src/payments/replay-notification.ts'
import type { Order, Payment } from './account.ts'
import { Disagreement, type Effect } from './effects.ts'
import {
  inSeconds,
  paymentsThere,
  platformOrder,
  platformRefund,
  refundThere,
  sheetsOf,
  sheetThere,
} from './platform-truth.ts'
import type { ActOf, Which } from './steps.ts'
import {
  type Call,
  choose,
  isOurFault,
  type Outcome,
  other,
  storyEnd,
  throughNetwork,
  type Visit,
  wordsOf,
} from './visit.ts'

async function post(visit: Visit, notification: Notification, on: Which): Promise<Outcome> {
  const { pathname, search } = new URL(notification.url)
  const { headers, body } = notification
  const url = `${visit.shop.replicas[on].url}${pathname}${search}`
  const answer = await fetch(url, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return { answer: String(answer.status), failed: isOurFault(answer.status) }
}

/** One message, and what it says. Copies of it are posted at once, to both replicas in turn. */
type Message = { id: string; build: (copy: number) => Notification; effect: Effect }
type Posting = { on: Which; copies: number }

/** Posts copies. One that was taken in is enough for the effect to be certain. */
async function postAll(visit: Visit, { build, effect, id }: Message, { on, copies }: Posting) {
  const posted = Array.from({ length: copies }, (_, copy) => build(copy))
  const outcomes = await Promise.all(
    posted.map((notification, copy) =>
      throughNetwork(post(visit, notification, copy % 2 === 0 ? on : other(on))),
    ),
  )
  for (const [copy, { failed }] of outcomes.entries()) {
    const taken = id || (posted[copy]?.notificationId ?? '')
    if (failed) visit.doubtful.add(taken)
    else if (!visit.inbox.some((one) => one.id === taken)) visit.inbox.push({ id: taken, effect })
  }
  return outcomes
}

const delivering = (visit: Visit, posting: Posting, message: Message): Pick<Call, 'make' | 'effects'> => ({
  make: async () => {
    const outcomes = await postAll(visit, message, posting)
    return { answer: wordsOf(outcomes), failed: outcomes.every(({ failed }) => failed) }
  },
  effects: ({ failed }) => [{ ...message.effect, certain: !failed }],
})

/** The payments of this user that the platform holds, the newest order last. */
const told = (visit: Visit): { order: Order; payments: Payment[] }[] =>
  visit.account.orders
    .map((order) => ({ order, payments: paymentsThere(visit, order) }))
    .filter(({ payments }) => payments.length > 0)

/** The platform tells of a payment, by the channel of its order. */
export function notify(visit: Visit, act: ActOf<'notify'>): Call | null {
  const chosen = choose(told(visit), act.order)
  const payment = act.earlier ? chosen?.payments[0] : chosen?.payments.at(-1)
  if (!chosen || !payment) return null
  return chosen.order.channel === 'jsapi'
    ? notifying(visit, act, { no: chosen.order.no, payment })
    : pushing(visit, act, { no: chosen.order.no, number: payment.paymentNo })
}

type Posted = Posting & { ids: 'same' | 'different' }

export function notifying(
  visit: Visit,
  act: Posted,
  { no, payment }: { no: string; payment: Payment },
): Call {
  const found = platformOrder(visit, no)?.payments.find(
    ({ transactionId }) => transactionId === payment.paymentNo,
  )
  const idOf = (copy: number) => `EV-${payment.paymentNo}-${act.ids === 'same' ? 0 : copy}`
  const build = (copy: number) =>
    visit.shop.platform.notification(no, {
      id: idOf(copy),
      transactionId: payment.paymentNo,
      ...(found && { paidAt: found.paidAt }),
    })
  const effect = { is: 'paid', certain: true, no, payment } as const
  return { name: `notify ${no}`, ...delivering(visit, act, { id: '', build, effect }) }
}

/** What this shop reads in a push: under which id it is kept, and when it was sent. */
function read({ shop }: Visit, { url, body }: Notification) {
  const { virtual } = shop.replicas[0].services
  if (!virtual) throw new Error('this shop has no virtual payment')
  return virtual.readPush(Object.fromEntries(new URL(url).searchParams), Buffer.from(body))
}

/** A push of a paid number. One that is answered well means that the goods are there (virtual payment §4.3). */
export function pushing(visit: Visit, act: Posting, { no, number }: { no: string; number: string }): Call {
  const push = visit.shop.platform.deliveryPush(number)
  const { id, createdAt } = read(visit, push)
  const sheet = sheetThere(visit, number)
  const byApple = sheet?.byApple ?? false
  // Apple's name no time of payment: it is when they were sent (virtual payment §4.4).
  const paidAt = byApple || !sheet?.paidAt ? createdAt.getTime() : inSeconds(sheet.paidAt)
  const payment = { paymentNo: number, paidAt, byApple, elsewhere: false }
  const message = { id, build: () => push, effect: { is: 'paid', certain: true, no, payment } as const }
  return {
    name: `push ${number}`,
    make: async () => {
      const outcomes = await postAll(visit, message, act)
      if (outcomes.some(({ answer }) => answer === '200')) handOver(visit, number)
      return { answer: wordsOf(outcomes), failed: outcomes.every(({ failed }) => failed) }
    },
    effects: ({ failed, answer }) => {
      if (/\b40[0134]\b/.test(answer)) throw new Disagreement(`the push of ${number} was answered ${answer}`)
      return [{ ...message.effect, certain: !failed }]
    },
  }
}

function handOver(visit: Visit, number: string): void {
  const sheet = sheetThere(visit, number)
  if (sheet?.status === 2 || sheet?.status === 3) sheet.status = 4
}

const wrongs = {
  probe: 'is_probe',
  env: 'wrong_env',
  amount: 'wrong_amount',
  product: 'wrong_product',
} as const

/** A push of an opened number, paid or not, that must never grant: a probe, or one that does not fit the order. */
export function misnotify(visit: Visit, { order: index, on, wrong }: ActOf<'misnotify'>): Call | null {
  const sheets = visit.account.orders.flatMap(({ no }) => sheetsOf(visit, no))
  const number = choose(sheets, index)?.sheet.number
  if (number === undefined) return null
  const push = visit.shop.platform.deliveryPush(number, wrongs[wrong])
  const { id } = read(visit, push)
  return {
    name: `push ${wrong} of ${number}`,
    make: () => {
      // The inbox keeps the first bytes of an id: a replay of a later push may read these.
      if (!visit.inbox.some((one) => one.id === id)) visit.doubtful.add(id)
      return throughNetwork(post(visit, push, on))
    },
    effects: ({ failed, answer }) => {
      if (!failed && answer !== (wrong === 'probe' ? '200' : '409'))
        throw new Disagreement(`a push with a wrong ${wrong} was answered ${answer}`)
      return []
    },
  }
}

/** The platform tells how a refund of ours ended. */
export function refundNotify(visit: Visit, act: ActOf<'refundNotify'>): Call | null {
  const ended = visit.account.refunds.filter(
    ({ no, told: of }) => of === null && !['processing', null].includes(refundThere(visit, no)),
  )
  const refund = choose(ended, act.refund)
  const to = refund && refundThere(visit, refund.no)
  if (!refund || !to) return null
  const { no } = refund
  const effect = { is: 'settled', certain: true, no, to } as const
  const name = `refundNotify ${no}`
  if (platformRefund(visit, no)) {
    const build = () => visit.shop.platform.refundNotification(no)
    return { name, ...delivering(visit, act, { id: '', build, effect }) }
  }
  const push = visit.shop.platform.refundPush(no)
  return { name, ...delivering(visit, act, { id: read(visit, push).id, build: () => push, effect }) }
}

/** The refunds that Apple made of this user's payments, the newest last. */
export const appleRefunds = (visit: Visit) =>
  [...visit.shop.platform.virtual.refunds.values()].flatMap((refund) => {
    const order = visit.account.orders.find(({ no }) =>
      sheetsOf(visit, no).some(({ sheet }) => sheet.number === refund.orderNumber),
    )
    return refund.byApple && order ? [{ refund, orderNo: order.no }] : []
  })

/** The platform tells of a refund that Apple made, before or after its payment is known here. */
export function tellApple(visit: Visit, act: ActOf<'tellApple'>): Call | null {
  const chosen = choose(appleRefunds(visit), act.refund)
  if (!chosen) return null
  const { refund, orderNo } = chosen
  const word = {
    id: refund.wxRefundId,
    orderNo,
    paymentNo: refund.orderNumber,
    amountFen: refund.amountFen,
  }
  const push = visit.shop.platform.refundPush(refund.number)
  const effect = { is: 'told', certain: true, told: word } as const
  const message = { id: read(visit, push).id, build: () => push, effect }
  const call = delivering(visit, act, message)
  return {
    ...call,
    name: `tell ${refund.wxRefundId} of ${refund.orderNumber}`,
    effects: (outcome) => {
      if (/\b40\d\b/.test(outcome.answer))
        throw new Disagreement(`Apple's refund of ${refund.orderNumber} was answered ${outcome.answer}`)
      return call.effects(outcome)
    },
  }
}
export const untoldApple = (visit: Visit): boolean =>
  appleRefunds(visit).some(({ refund }) => !visit.account.told.some(({ id }) => id === refund.wxRefundId))

export function replay(visit: Visit, { entry: index, on, dry }: ActOf<'replay'>): Call | null {
  const delivered = choose(
    visit.inbox.filter(({ id }) => !visit.doubtful.has(id)),
    index,
  )
  if (!delivered) return null
  const act = {
    notificationId: delivered.id,
    operatorId: visit.shop.owner,
    from: { requestId: 'model', address: '127.0.0.1', userAgent: 'model' },
  }
  const { services } = visit.shop.replicas[on]
  return {
    name: `${dry ? 'dry run of' : 'replay'} ${delivered.id}`,
    make: () => storyEnd(dry ? dryRunReplay(services, act) : replayNotification(services, act)),
    effects: ({ failed }) => (dry ? [] : [{ ...delivered.effect, certain: !failed }]),
  }
}
