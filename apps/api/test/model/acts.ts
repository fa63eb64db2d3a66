import { reconcileByClock, reconcileVirtualByClock } from '../../src/doors/jobs/catch-up-with-platform.ts'
import { sweepOrder } from '../../src/payments/sweep-order.ts'
import { dayBefore } from '../../src/platform/time/business-time.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { DAY_MS, isOpenRefund, isPaid, isUnpaid, type Order } from './account.ts'
import { activateParked, decide, decideLatePayment, request, returnSecond } from './desk.ts'
import { Disagreement, type Effect } from './effects.ts'
import { misnotify, notify, refundNotify, replay, tellApple } from './messages.ts'
import {
  asking,
  closing,
  inSeconds,
  paymentOf,
  paymentsThere,
  platformOrder,
  platformRefund,
  tracking,
} from './platform-truth.ts'
import type { Act, ActOf, Which } from './steps.ts'
import { type Call, choose, outcomeOf, storyEnd, throughNetwork, type Visit } from './visit.ts'

/** The phone asks how its order stands; where a sheet failed it says with what, which moves nothing. */
function sync(visit: Visit, { order: index, on, sheetError }: ActOf<'sync'>): Call | null {
  const order = choose(visit.account.orders, index)
  if (!order) return null
  const { no } = order
  const asked = asking(visit, no)
  const sheet = visit.sheets.findLast(({ orderNo }) => orderNo === no)
  const body = sheetError && sheet ? { sheet_error: { code: sheetError, number: sheet.number } } : undefined
  return {
    name: `sync ${no}`,
    make: () =>
      throughNetwork(
        visit.phones[on]
          .call(`/subscription/orders/${no}/sync`, { method: 'POST', ...(body && { body }) })
          .then(outcomeOf),
      ),
    effects: ({ failed, answer }) => {
      if (!failed && answer !== 'done') throw new Disagreement(`sync of ${no} was answered ${answer}`)
      return isPaid(order) ? [] : asked(!failed)
    },
  }
}

function cancel(visit: Visit, { order: index, on }: ActOf<'cancel'>): Call | null {
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

/** Whether its open attempts are asked about still: paid or closed, it may be paid once more (virtual payment §5). */
export const isWatched = (order: Order) => order.channel === 'virtual' && !isUnpaid(order)

function sweep(visit: Visit, { order: index, on }: ActOf<'sweep'>): Call | null {
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
      if (isWatched(order)) return asked(!failed)
      if (!isUnpaid(order) || order.parkedFor) return []
      return isToBeClosed ? closing(visit, no, !failed) : asked(!failed)
    },
  }
}

function track(visit: Visit, { refund: index, on }: ActOf<'track'>): Call | null {
  const refund = choose(visit.account.refunds, index)
  if (!refund) return null
  return {
    name: `track ${refund.no}`,
    make: () =>
      storyEnd(trackRefund(visit.shop.replicas[on].services, { outRefundNo: refund.no, attempt: 0 })),
    effects: ({ failed }) => tracking(visit, refund, !failed),
  }
}

export const chinaDayOf = (date: Date) => dayBefore(new Date(date.getTime() + DAY_MS))

/** For how long the platform gives bills out, roughly. */
const billsLastMs = 85 * DAY_MS

/** Payments of this user that stand in a bill which can still be had. */
const billedPayments = (visit: Visit) =>
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

/** The day of a payment is reconciled: by the platform's bill, in virtual payment by asking, which moves no money. */
function bill(visit: Visit, { order: index, on }: ActOf<'bill'>): Call | null {
  const payment = choose(billedPayments(visit), index)
  return payment ? billing(visit, chinaDayOf(payment.paidAt), on) : null
}

/** A bill that was written before says nothing of what happened since. */
export function billing(visit: Visit, date: string, on: Which): Call {
  const isNew = !visit.writtenBills.has(date)
  return {
    name: `bill of ${date}`,
    make: () => {
      if (chinaDayOf(new Date(visit.shop.now())) !== date) visit.writtenBills.add(date)
      return storyEnd(reconcileByClock(visit.shop.replicas[on].services, { date }))
    },
    effects: ({ failed }) => billed(visit, date, !failed && isNew),
  }
}

function askAboutDay(visit: Visit, { order: index, on }: ActOf<'askAboutDay'>): Call | null {
  const paid = visit.account.orders.filter(
    (order) => order.channel === 'virtual' && paymentsThere(visit, order).length > 0,
  )
  const order = choose(paid, index)
  const payment = order && paymentsThere(visit, order).at(-1)
  if (!payment) return null
  const date = chinaDayOf(new Date(payment.paidAt))
  return {
    name: `questions about ${date}`,
    make: () => storyEnd(reconcileVirtualByClock(visit.shop.replicas[on].services, { date })),
    effects: () => [],
  }
}

/** On which days this user's payments stand in a bill. */
export const billedDays = (visit: Visit): string[] => [
  ...new Set(billedPayments(visit).map(({ paidAt }) => chinaDayOf(paidAt))),
]

/** The call that an act stands for now, or null when there is nothing it could be about. */
export function callOf(visit: Visit, act: Act): Call | null {
  switch (act.act) {
    case 'notify':
      return notify(visit, act)
    case 'misnotify':
      return misnotify(visit, act)
    case 'sync':
      return sync(visit, act)
    case 'sweep':
      return sweep(visit, act)
    case 'cancel':
      return cancel(visit, act)
    case 'request':
      return request(visit, act)
    case 'returnSecond':
      return returnSecond(visit, act)
    case 'decide':
      return decide(visit, act)
    case 'decideLate':
      return decideLatePayment(visit, act)
    case 'activate':
      return activateParked(visit, act)
    case 'track':
      return track(visit, act)
    case 'refundNotify':
      return refundNotify(visit, act)
    case 'tellApple':
      return tellApple(visit, act)
    case 'replay':
      return replay(visit, act)
    case 'bill':
      return bill(visit, act)
    case 'askAboutDay':
      return askAboutDay(visit, act)
  }
}
