import {
  type Account,
  DAY_MS,
  endOf,
  isLarge,
  orderNamed,
  plans,
  type Refund,
  type RefundStatus,
  refundNamed,
  refundsOf,
  type Stretch,
  sumOf,
  type Told,
  withOrder,
  withRefund,
} from './account.ts'

/** What only the database knows of a step: when an entry of the ledger was written, and how a told refund is called here. */
export type Moment = { at: (cause: string) => number; numberOf: (toldId: string) => string }

/** A refund that somebody asks for. */
export type Wish = Omit<Refund, 'no' | 'status' | 'told'>

/** Of what a refund takes: when it was paid, how much of it there is, and what other refunds of it took. */
function returnable(account: Account, { orderNo, second }: Wish) {
  const order = orderNamed(account, orderNo)
  const amountFen = plans[order.plan].amountFen
  if (second === null) {
    const isFree = order.status === 'paid' && !order.parkedFor && !order.byApple
    return { isFree, paidAt: order.paidAt, leftFen: amountFen - sumOf(refundsOf(account, orderNo)) }
  }
  const payment = account.seconds.find(({ paymentNo }) => paymentNo === second)
  const others = account.refunds.filter((refund) => refund.second === second)
  return {
    isFree: payment?.byApple === false,
    paidAt: payment?.paidAt ?? null,
    leftFen: amountFen - sumOf(others),
  }
}

/** A refund somebody asks for, or null where the rules forbid it. */
export function requested(account: Account, no: string, { wish, now }: { wish: Wish; now: number }) {
  const { isFree, paidAt, leftFen } = returnable(account, wish)
  const withinYear = paidAt !== null && now - paidAt < 365 * DAY_MS
  if (!isFree || !withinYear || wish.amountFen > leftFen) return null
  const status = isLarge(account, wish.orderNo, wish.amountFen) ? 'requested' : 'approved'
  const refund: Refund = { ...wish, no, status, told: null }
  return { ...account, refunds: [...account.refunds, refund] }
}

/** The second person's word; on a late payment it ends the parking. */
export function decided(account: Account, no: string, approve: boolean): Account {
  const { status, orderNo, second } = refundNamed(account, no)
  if (status !== 'requested') return account
  const next = withRefund(account, no, { status: approve ? 'approved' : 'rejected' })
  const isLate = second === null && orderNamed(next, orderNo).parkedFor === 'late_payment'
  return approve && isLate ? withOrder(next, orderNo, { parkedFor: null }) : next
}

/** Days of this stretch that still lie ahead, begun ones included. */
const unusedDays = ({ from, to }: Stretch, at: number) =>
  Math.max(0, Math.ceil((to - Math.max(from, at)) / DAY_MS))

/** Takes whole days off the end of an order's stretch; what lies behind it moves up. Time that is over stays over. */
function revoked(account: Account, refund: Refund, at: number): Account {
  const order = orderNamed(account, refund.orderNo)
  const { days, amountFen } = plans[order.plan]
  const stretch = account.stretches.find(({ orderNo }) => orderNo === order.no)
  if (!stretch || refund.keepDays) return account
  const due = Math.floor((days * order.refundedFen) / amountFen) - stretch.taken
  const taken = Math.min(unusedDays(stretch, at), due)
  if (taken <= 0) return account
  const by = taken * DAY_MS
  const behind = account.stretches.indexOf(stretch)
  const end = endOf(account) ?? at
  return {
    ...account,
    stretches: account.stretches.map((one, index) => {
      if (index < behind) return one
      if (index === behind) return { ...one, to: one.to - by, taken: one.taken + taken }
      return { ...one, from: one.from - by, to: one.to - by }
    }),
    ledger: [...account.ledger, { cause: refund.no, days: -taken, at, endsAt: Math.max(at, end - by) }],
  }
}

/** The money is back: the order's own takes its days; a second payment's leaves the order as it is. */
function succeeded(account: Account, no: string, at: number): Account {
  const refund = refundNamed(account, no)
  if (refund.second !== null) return account
  const order = orderNamed(account, refund.orderNo)
  const refundedFen = order.refundedFen + refund.amountFen
  const status = refundedFen === plans[order.plan].amountFen ? 'refunded' : order.status
  return revoked(withOrder(account, order.no, { refundedFen, status }), refund, at)
}

/** From where a refund may go where the platform says; anything else changes nothing. */
const refundRoads: Readonly<Record<string, readonly RefundStatus[]>> = {
  processing: ['approved', 'abnormal'],
  succeeded: ['approved', 'processing', 'abnormal'],
  closed: ['approved', 'processing', 'abnormal'],
  abnormal: ['approved', 'processing'],
}

/** The platform says how a refund of ours stands. */
export function settled(account: Account, no: string, { to, at }: { to: RefundStatus; at: number }): Account {
  const refund = refundNamed(account, no)
  if (!refundRoads[to]?.includes(refund.status)) return account
  const next = withRefund(account, no, { status: to })
  return to === 'succeeded' ? succeeded(next, no, at) : next
}

const isKnown = (account: Account, { orderNo, paymentNo }: Told) =>
  orderNamed(account, orderNo).paymentNo === paymentNo ||
  account.seconds.some((second) => second.paymentNo === paymentNo)

/** Whether the platform told of a refund of this payment. */
export const isToldOf = ({ told }: Account, paymentNo: string) =>
  told.some((one) => one.paymentNo === paymentNo)

/** A told refund whose payment is known becomes one of ours that has succeeded. */
function applied(account: Account, told: Told, { at, numberOf }: Moment): Account {
  const { id, orderNo, paymentNo, amountFen } = told
  const isOwn = orderNamed(account, orderNo).paymentNo === paymentNo
  const refund: Refund = {
    no: numberOf(id),
    orderNo,
    second: isOwn ? null : paymentNo,
    amountFen,
    keepDays: !isOwn,
    status: 'succeeded',
    requestedBy: null,
    told: id,
  }
  const next = succeeded({ ...account, refunds: [...account.refunds, refund] }, refund.no, at(refund.no))
  const order = orderNamed(next, orderNo)
  // A late payment that waited for a decision is decided once all of it went back.
  return order.status === 'refunded' && order.parkedFor === 'late_payment'
    ? withOrder(next, orderNo, { parkedFor: null })
    : next
}

/** What was told of a payment before it was known is applied with it. */
export const toldApplied = (account: Account, paymentNo: string, moment: Moment): Account =>
  account.told
    .filter((told) => told.paymentNo === paymentNo)
    .reduce((now, told) => (isKnown(now, told) ? applied(now, told, moment) : now), account)

/** The platform tells of a refund that we did not ask for. */
export function told(account: Account, word: Told, moment: Moment): Account {
  if (account.told.some(({ id }) => id === word.id)) return account
  const next = { ...account, told: [...account.told, word] }
  return isKnown(next, word) ? applied(next, word, moment) : next
}
