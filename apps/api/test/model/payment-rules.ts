import {
  type Account,
  DAY_MS,
  endOf,
  isCounted,
  isLarge,
  isPaid,
  type Order,
  orderNamed,
  type Payment,
  plans,
  type Refund,
  refundsOf,
  withOrder,
} from './account.ts'
import { isToldOf, type Moment, toldApplied } from './refund-rules.ts'

/** Stacked onto what is left, or from now on. */
function granted(account: Account, order: Order, at: number): Account {
  const days = plans[order.plan].days
  const from = Math.max(at, endOf(account) ?? at)
  const to = from + days * DAY_MS
  return {
    ...account,
    stretches: [...account.stretches, { orderNo: order.no, from, to, taken: 0 }],
    ledger: [...account.ledger, { cause: order.no, days, at, endsAt: to }],
  }
}

type Back = Pick<Refund, 'no' | 'requestedBy' | 'status'>

/** All of it goes back: by a rule, which is nobody's wish, or by somebody's decision. */
function goingBack(account: Account, order: Order, back: Back): Account {
  const amountFen = plans[order.plan].amountFen
  const refund = { ...back, orderNo: order.no, second: null, amountFen, keepDays: false, told: null }
  return { ...account, refunds: [...account.refunds, refund] }
}

/** Another payment of a paid order is kept beside it, once, and brings no days. */
function keptBeside(account: Account, orderNo: string, { elsewhere: _, ...payment }: Payment): Account {
  return account.seconds.some(({ paymentNo }) => paymentNo === payment.paymentNo)
    ? account
    : { ...account, seconds: [...account.seconds, { ...payment, orderNo }] }
}

/** Why a payment waits for somebody. Apple's cannot go back by us: under the policy `refund` they are asked about. */
function parkingOf(account: Account, late: boolean, payment: Payment): string | null {
  const asks = account.policy === 'ask' || (account.policy === 'refund' && payment.byApple)
  if (payment.elsewhere && !isToldOf(account, payment.paymentNo)) return 'refunded_elsewhere'
  return late && asks ? 'late_payment' : null
}

/** `refundNo` names the refund of a late payment that goes straight back. */
export type Arrival = { payment: Payment; refundNo: string; moment: Moment }

function firstPaid(account: Account, order: Order, { payment, refundNo, moment }: Arrival): Account {
  const { no, expiresAt } = order
  const { paymentNo, paidAt, byApple } = payment
  const late = order.status === 'closed' && paidAt > expiresAt
  const parkedFor = parkingOf(account, late, payment)
  const next = withOrder(account, no, { status: 'paid', late, parkedFor, paymentNo, paidAt, byApple })
  if (parkedFor) return next
  if (!late || account.policy !== 'refund') return granted(next, order, moment.at(no))
  return goingBack(next, order, { no: refundNo, requestedBy: null, status: 'approved' })
}

/** The platform confirms a payment. */
export function paid(account: Account, no: string, arrival: Arrival): Account {
  const { payment, moment } = arrival
  const order = orderNamed(account, no)
  if (order.paymentNo === payment.paymentNo) return account
  if (account.seconds.some(({ paymentNo }) => paymentNo === payment.paymentNo)) return account
  const next = isPaid(order) ? keptBeside(account, no, payment) : firstPaid(account, order, arrival)
  return toldApplied(next, payment.paymentNo, moment)
}

export type LateDecision = 'activate' | 'refund'

/** Whether a refund of this order waits, is on its way or has arrived. */
export const isGivenBack = (account: Account, no: string): boolean => refundsOf(account, no).some(isCounted)

type LateWord = { decision: LateDecision; at: number; refundNo: string; by: string }

/** Finance says what becomes of a payment that came too late, once; a large one stays parked until a second word. */
export function lateDecided(account: Account, no: string, { decision, at, refundNo, by }: LateWord): Account {
  const order = orderNamed(account, no)
  if (order.parkedFor !== 'late_payment' || isGivenBack(account, no)) return account
  if (decision === 'refund' && order.byApple) return account
  if (decision === 'refund' && isLarge(account, no, plans[order.plan].amountFen))
    return goingBack(account, order, { no: refundNo, requestedBy: by, status: 'requested' })
  const next = withOrder(account, no, { parkedFor: null })
  return decision === 'activate'
    ? granted(next, order, at)
    : goingBack(next, order, { no: refundNo, requestedBy: by, status: 'approved' })
}

/** An operator gives the days of a payment whose money went back by no refund of ours. */
export function activated(account: Account, no: string, at: number): Account {
  const order = orderNamed(account, no)
  if (order.parkedFor !== 'refunded_elsewhere' || order.status !== 'paid') return account
  return granted(withOrder(account, no, { parkedFor: null }), order, at)
}
