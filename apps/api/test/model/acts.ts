import type { Notification, PlatformOrder, PlatformRefund } from '@meridian/payments/testing'
import { reconcileByClock } from '../../src/doors/jobs/catch-up-with-platform.ts'
import { decideLate } from '../../src/payments/decide-parked.ts'
import { dryRunReplay, replayNotification } from '../../src/payments/replay-notification.ts'
import { sweepOrder } from '../../src/payments/sweep-order.ts'
import { DomainError } from '../../src/platform/errors/domain-error.ts'
import { dayBefore } from '../../src/platform/time/business-time.ts'
import { decideRequest } from '../../src/refunds/decide-request.ts'
import { requestRefund } from '../../src/refunds/request-refund.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { type Answer, codeOf, type Phone } from '../world/phone.ts'
import {
  type Account,
  DAY_MS,
  isGivenBack,
  isLarge,
  isOpenRefund,
  isPaid,
  isUnpaid,
  type LateDecision,
  type Order,
  orderNamed,
  type Payment,
  plans,
  type Refund,
} from './account.ts'
import { Disagreement, type Effect } from './effects.ts'
import type { Shop } from './open-shop.ts'
import type { Act, Which } from './steps.ts'

/** A notification that was taken in, and what it says. */
export type Delivered = { id: string; effect: Effect }

/** One user in the shop, and what the model knows of them. */
export type Visit = {
  shop: Shop
  phones: readonly [Phone, Phone]
  userId: string
  account: Account
  inbox: Delivered[]
}

/** How a call ended: `failed` means that it may or may not have had its effect. */
export type Outcome = { answer: string; failed: boolean }

/** A call ready to be made: who makes it knows afterwards what it must have done. */
export type Call = {
  name: string
  make: () => Promise<Outcome>
  /** Read when everything of the step has ended. */
  effects: (outcome: Outcome) => Effect[]
}

const done: Outcome = { answer: 'done', failed: false }
const isOurFault = (status: number) => status >= 500
/** Said to one of two taps when the other takes longer than it is waited for. */
const isStillAtWork = (code: string) => code === 'idempotency_in_progress'

/** The end of a call over HTTP, in words. */
export function outcomeOf(answer: Answer): Outcome {
  if (answer.status < 300) return done
  const code = codeOf(answer)
  return { answer: code, failed: isOurFault(answer.status) || isStillAtWork(code) }
}

/** A call that the network lost is a failed one. */
export const throughNetwork = (call: Promise<Outcome>): Promise<Outcome> =>
  call.catch((error: unknown) => ({ answer: String(error), failed: true }))

/** The end of a story called directly: a verdict of the business, or a failure. */
const storyEnd = (story: Promise<unknown>): Promise<Outcome> =>
  story.then(
    () => done,
    (error: unknown) =>
      error instanceof DomainError && !error.code.startsWith('payment_platform')
        ? { answer: error.code, failed: false }
        : { answer: String(error), failed: true },
  )

/** The one that is `index` away from the newest. */
export const choose = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items.length === 0 ? undefined : items[items.length - 1 - (index % items.length)]

const platformOrder = ({ shop }: Visit, no: string): PlatformOrder | undefined => shop.platform.orders.get(no)
const platformRefund = ({ shop }: Visit, no: string): PlatformRefund | undefined =>
  shop.platform.refunds.get(no)

type PlatformPayment = PlatformOrder['payments'][number]
const inSeconds = (date: Date) => Math.floor(date.getTime() / 1000) * 1000
export const paymentOf = ({ transactionId, paidAt }: PlatformPayment): Payment => ({
  transactionId,
  paidAt: inSeconds(paidAt),
})

/** What asking the platform about an order must lead to. */
export function following(visit: Visit, no: string, certain: boolean): Effect[] {
  const theirs = platformOrder(visit, no)
  const payment = theirs?.payments.at(-1)
  if (payment) return [{ is: 'paid', certain, no, payment: paymentOf(payment) }]
  return theirs?.state === 'CLOSED' ? [{ is: 'closed', certain, no }] : []
}

/** Who asks while somebody else closes may have been answered the moment before. */
function asking(visit: Visit, no: string): (certain: boolean) => Effect[] {
  const before = platformOrder(visit, no)?.state
  return (certain) => following(visit, no, certain && platformOrder(visit, no)?.state === before)
}

/** The same where an unpaid order is to be closed. An order the platform never heard of is closed here alone. */
export const closing = (visit: Visit, no: string, certain: boolean): Effect[] =>
  platformOrder(visit, no) ? following(visit, no, certain) : [{ is: 'closed', certain, no }]

const ends = {
  PROCESSING: 'processing',
  SUCCESS: 'succeeded',
  CLOSED: 'closed',
  ABNORMAL: 'abnormal',
} as const

/** What tracking a refund must lead to: the platform knows it now, and it stands here as it stands there. */
export function tracking(visit: Visit, refund: Refund, certain: boolean): Effect[] {
  const order = orderNamed(visit.account, refund.orderNo)
  if (order.parkedFor || !['approved', 'processing'].includes(refund.status)) return []
  const theirs = platformRefund(visit, refund.no)
  // A year after the payment the platform takes no refund any more.
  const isTooLate = order.paidAt !== null && visit.shop.now() - order.paidAt >= 365 * DAY_MS
  if (!theirs && certain && !isTooLate)
    throw new Disagreement(`refund ${refund.no} was not sent to the platform`)
  return theirs ? [{ is: 'settled', certain, no: refund.no, to: ends[theirs.status] }] : []
}

async function post(visit: Visit, notification: Notification, on: Which): Promise<Outcome> {
  const { url } = visit.shop.replicas[on]
  const { headers, body } = notification
  const answer = await fetch(`${url}/api/v1/payment/notify`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return { answer: String(answer.status), failed: isOurFault(answer.status) }
}

const wordsOf = (outcomes: readonly Outcome[]) => outcomes.map(({ answer }) => answer).join(' ')
const other = (on: Which): Which => (on === 0 ? 1 : 0)

type Of<Name extends Act['act']> = Extract<Act, { act: Name }>

/** Posts copies to both replicas at once. One that was taken in is enough for the effect to be certain. */
function delivering(
  visit: Visit,
  { on, copies }: { on: Which; copies: number },
  { build, effect }: { build: (copy: number) => Notification; effect: Effect },
): Pick<Call, 'make' | 'effects'> {
  return {
    make: async () => {
      const posted = Array.from({ length: copies }, (_, copy) => build(copy))
      const outcomes = await Promise.all(
        posted.map((notification, copy) =>
          throughNetwork(post(visit, notification, copy % 2 === 0 ? on : other(on))),
        ),
      )
      for (const [copy, { failed }] of outcomes.entries()) {
        const id = posted[copy]?.notificationId
        if (!failed && id && !visit.inbox.some((one) => one.id === id)) visit.inbox.push({ id, effect })
      }
      return { answer: wordsOf(outcomes), failed: outcomes.every(({ failed }) => failed) }
    },
    effects: ({ failed }) => [{ ...effect, certain: !failed }],
  }
}

function notify(visit: Visit, act: Of<'notify'>): Call | null {
  const told = visit.account.orders.filter(({ no }) => platformOrder(visit, no)?.payments.length)
  const order = choose(told, act.order)
  const payments = order && platformOrder(visit, order.no)?.payments
  const payment = payments && (act.earlier ? payments[0] : payments.at(-1))
  if (!payment) return null
  const { transactionId, paidAt } = payment
  const id = (copy: number) => `EV-${transactionId}-${copy}`
  const build = (copy: number) =>
    visit.shop.platform.notification(order.no, {
      id: id(act.ids === 'same' ? 0 : copy),
      transactionId,
      paidAt,
    })
  const effect = { is: 'paid', certain: true, no: order.no, payment: paymentOf(payment) } as const
  return { name: `notify ${order.no}`, ...delivering(visit, act, { build, effect }) }
}

function refundNotify(visit: Visit, act: Of<'refundNotify'>): Call | null {
  const ended = visit.account.refunds.filter(({ no }) => {
    const theirs = platformRefund(visit, no)
    return theirs && theirs.status !== 'PROCESSING'
  })
  const refund = choose(ended, act.refund)
  const theirs = refund && platformRefund(visit, refund.no)
  if (!theirs) return null
  const build = () => visit.shop.platform.refundNotification(theirs.outRefundNo)
  const effect = { is: 'settled', certain: true, no: refund.no, to: ends[theirs.status] } as const
  return { name: `refundNotify ${refund.no}`, ...delivering(visit, act, { build, effect }) }
}

function sync(visit: Visit, { order: index, on }: Of<'sync'>): Call | null {
  const order = choose(visit.account.orders, index)
  if (!order) return null
  const { no } = order
  const asked = asking(visit, no)
  return {
    name: `sync ${no}`,
    make: () =>
      throughNetwork(
        visit.phones[on].call(`/subscription/orders/${no}/sync`, { method: 'POST' }).then(outcomeOf),
      ),
    effects: ({ failed, answer }) => {
      if (!failed && answer !== 'done') throw new Disagreement(`sync of ${no} was answered ${answer}`)
      return isPaid(order) ? [] : asked(!failed)
    },
  }
}

function cancel(visit: Visit, { order: index, on }: Of<'cancel'>): Call | null {
  const order = choose(visit.account.orders, index)
  return order ? cancelling(visit, order, on) : null
}

export function cancelling(visit: Visit, order: Order, on: Which): Call {
  const { no } = order
  return {
    name: `cancel ${no}`,
    make: () =>
      throughNetwork(
        visit.phones[on].call(`/subscription/orders/${no}/cancel`, { method: 'POST' }).then(outcomeOf),
      ),
    effects: ({ failed, answer }) => {
      const expected = isPaid(order) ? ['order_already_paid'] : ['done', 'order_already_paid']
      if (!failed && !expected.includes(answer))
        throw new Disagreement(`cancelling ${no} was answered ${answer}`)
      return isUnpaid(order) ? closing(visit, no, !failed) : []
    },
  }
}

function sweep(visit: Visit, { order: index, on }: Of<'sweep'>): Call | null {
  const order = choose(visit.account.orders, index)
  if (!order) return null
  const { no } = order
  const superseded = visit.account.orders.at(-1) !== order
  const isToBeClosed = superseded || order.expiresAt <= visit.shop.now()
  const asked = asking(visit, no)
  return {
    name: `sweep ${no}`,
    make: () => storyEnd(sweepOrder(visit.shop.replicas[on].services, { outTradeNo: no, attempt: 0 })),
    effects: ({ failed }) => {
      if (!isUnpaid(order) || order.parkedFor) return []
      return isToBeClosed ? closing(visit, no, !failed) : asked(!failed)
    },
  }
}

function track(visit: Visit, { refund: index, on }: Of<'track'>): Call | null {
  const refund = choose(visit.account.refunds, index)
  if (!refund) return null
  return {
    name: `track ${refund.no}`,
    make: () =>
      storyEnd(trackRefund(visit.shop.replicas[on].services, { outRefundNo: refund.no, attempt: 0 })),
    effects: ({ failed }) => tracking(visit, refund, !failed),
  }
}

const employee = ({ shop }: Visit, which: Which) => (which === 0 ? shop.finance : shop.owner)

function request(visit: Visit, { order: index, on, part, keepDays, by }: Of<'request'>): Call | null {
  const order = choose(visit.account.orders.filter(isPaid), index)
  if (!order) return null
  const amountFen = Math.max(1, Math.floor(plans[order.plan].amountFen * part))
  const requestedBy = employee(visit, by)
  const refund = { orderNo: order.no, amountFen, keepDays, requestedBy }
  return {
    name: `request ${amountFen} of ${order.no}`,
    make: () =>
      storyEnd(
        requestRefund(visit.shop.replicas[on].services.database.pool, {
          outTradeNo: order.no,
          amountFen,
          keepDays,
          reason: 'user_request',
          note: null,
          operatorId: requestedBy,
          requestId: 'model',
        }),
      ),
    effects: ({ failed, answer }) => {
      if (answer === 'refund_not_possible') return [{ is: 'refused', certain: true, refund }]
      return [{ is: 'requested', certain: !failed, refund }]
    },
  }
}

function decide(visit: Visit, { refund: index, on, approve, by }: Of<'decide'>): Call | null {
  const waiting = visit.account.refunds.filter(({ status }) => status === 'requested')
  const refund = choose(waiting.length > 0 ? waiting : visit.account.refunds, index)
  if (!refund) return null
  const operatorId = employee(visit, by)
  const { pool } = visit.shop.replicas[on].services.database
  const expected =
    refund.status !== 'requested'
      ? 'changed_meanwhile'
      : approve && refund.requestedBy === operatorId
        ? 'second_person_required'
        : 'done'
  return {
    name: `${approve ? 'approve' : 'reject'} ${refund.no}`,
    make: () => storyEnd(decideRequest(pool, { outRefundNo: refund.no, operatorId, approve })),
    effects: ({ failed, answer }) => {
      if (!failed && answer !== expected)
        throw new Disagreement(`deciding ${refund.no} was answered ${answer}, not ${expected}`)
      return expected === 'done' ? [{ is: 'decided', certain: !failed, no: refund.no, approve }] : []
    },
  }
}

/** What the deciders of a late payment may be told, in their order: one of two comes first, and is told so. */
function lateAnswers(
  account: Account,
  order: Order,
  { decision, rival }: { decision: LateDecision; rival: boolean },
): string[] {
  const refused = 'decision_not_possible'
  if (isGivenBack(account, order.no)) return [rival ? `${refused} ${refused}` : refused]
  if (!rival) return ['done']
  const afterRefund = isLarge(order) ? refused : 'changed_meanwhile'
  return decision === 'activate'
    ? ['done changed_meanwhile', `${afterRefund} done`]
    : [`done ${afterRefund}`, 'changed_meanwhile done']
}

/** Finance decides about a payment that came too late; at the same moment somebody else decides otherwise. */
function decideLatePayment(
  visit: Visit,
  { order: index, on, decision, rival }: Of<'decideLate'>,
): Call | null {
  const order = choose(
    visit.account.orders.filter(({ parkedFor }) => parkedFor === 'late_payment'),
    index,
  )
  if (!order) return null
  const { no } = order
  const otherwise = decision === 'activate' ? 'refund' : 'activate'
  const decideOn = (where: Which, wanted: 'activate' | 'refund') =>
    storyEnd(
      decideLate(visit.shop.replicas[where].services.database.pool, {
        outTradeNo: no,
        parkReason: 'late_payment',
        decision: wanted,
        note: 'model',
        operatorId: visit.shop.finance,
        from: { requestId: 'model', address: '127.0.0.1', userAgent: 'model' },
      }),
    )
  return {
    name: `${decision} late ${no}`,
    make: async () => {
      const outcomes = await Promise.all([
        decideOn(on, decision),
        ...(rival ? [decideOn(other(on), otherwise)] : []),
      ])
      return { answer: wordsOf(outcomes), failed: outcomes.some(({ failed }) => failed) }
    },
    effects: ({ failed, answer }) => {
      const expected = lateAnswers(visit.account, order, { decision, rival })
      if (!failed && !expected.includes(answer))
        throw new Disagreement(`deciding about ${no} was answered ${answer}`)
      if (isGivenBack(visit.account, no)) return []
      const by = visit.shop.finance
      return [
        { is: 'lateDecided', certain: !failed && !rival, no, decision, by },
        ...(rival ? [{ is: 'lateDecided', certain: false, no, decision: otherwise, by } as const] : []),
      ]
    },
  }
}

function replay(visit: Visit, { entry: index, on, dry }: Of<'replay'>): Call | null {
  const delivered = choose(visit.inbox, index)
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

const chinaDayOf = (date: Date) => dayBefore(new Date(date.getTime() + DAY_MS))

/** For how long the platform gives bills out, roughly. */
const billsLastMs = 85 * DAY_MS

/** Payments of this user that stand in a bill which can still be had. */
const billedPayments = (visit: Visit): PlatformPayment[] =>
  visit.account.orders
    .flatMap(({ no }) => platformOrder(visit, no)?.payments ?? [])
    .filter(({ paidAt }) => visit.shop.now() - paidAt.getTime() < billsLastMs)

/** What the bill of a day settles: payments we do not have, refunds that have succeeded. */
function billed(visit: Visit, date: string, certain: boolean): Effect[] {
  const rows: { at: number; effect: Effect }[] = []
  for (const { no } of visit.account.orders) {
    for (const payment of platformOrder(visit, no)?.payments ?? [])
      if (chinaDayOf(payment.paidAt) === date)
        rows.push({
          at: inSeconds(payment.paidAt),
          effect: { is: 'paid', certain, no, payment: paymentOf(payment) },
        })
  }
  for (const refund of visit.account.refunds.filter(isOpenRefund)) {
    const theirs = platformRefund(visit, refund.no)
    if (theirs?.status === 'SUCCESS' && chinaDayOf(theirs.createdAt) === date)
      rows.push({
        at: inSeconds(theirs.createdAt),
        effect: { is: 'settled', certain, no: refund.no, to: 'succeeded' },
      })
  }
  return rows.sort((one, next) => one.at - next.at).map(({ effect }) => effect)
}

function bill(visit: Visit, { order: index, on }: Of<'bill'>): Call | null {
  const payment = choose(billedPayments(visit), index)
  return payment ? billing(visit, chinaDayOf(payment.paidAt), on) : null
}

export const billing = (visit: Visit, date: string, on: Which): Call => ({
  name: `bill of ${date}`,
  make: () => storyEnd(reconcileByClock(visit.shop.replicas[on].services, { date })),
  effects: ({ failed }) => billed(visit, date, !failed),
})

/** On which days this user's payments stand in a bill. */
export const billedDays = (visit: Visit): string[] => [
  ...new Set(billedPayments(visit).map(({ paidAt }) => chinaDayOf(paidAt))),
]

/** The call that an act stands for now, or null when there is nothing it could be about. */
export function callOf(visit: Visit, act: Act): Call | null {
  switch (act.act) {
    case 'notify':
      return notify(visit, act)
    case 'sync':
      return sync(visit, act)
    case 'sweep':
      return sweep(visit, act)
    case 'cancel':
      return cancel(visit, act)
    case 'request':
      return request(visit, act)
    case 'decide':
      return decide(visit, act)
    case 'decideLate':
      return decideLatePayment(visit, act)
    case 'track':
      return track(visit, act)
    case 'refundNotify':
      return refundNotify(visit, act)
    case 'replay':
      return replay(visit, act)
    case 'bill':
      return bill(visit, act)
  }
}
