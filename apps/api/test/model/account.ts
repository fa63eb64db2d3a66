/**
 * What one user's orders, refunds and days must be, told as simply as the rules of business tell it: no SQL, no locks,
 * no statuses of jobs. It knows nothing of how the API does it. Instants are milliseconds.
 */
export const DAY_MS = 86_400_000

export const plans = {
  monthly: { days: 30, amountFen: 2900 },
  quarterly: { days: 90, amountFen: 7900 },
  yearly: { days: 365, amountFen: 26_800 },
} as const
export type PlanCode = keyof typeof plans

export const TTL_MS = 30 * 60_000
const APPROVAL_ABOVE_FEN = 20_000

export type LatePolicy = 'activate' | 'refund' | 'ask'
export type RefundStatus =
  | 'requested'
  | 'approved'
  | 'processing'
  | 'succeeded'
  | 'closed'
  | 'abnormal'
  | 'rejected'

export type Order = {
  no: string
  plan: PlanCode
  key: string | null
  status: 'created' | 'prepay' | 'paid' | 'closed' | 'refunded'
  createdAt: number
  expiresAt: number
  paidAt: number | null
  transactionId: string | null
  refundedFen: number
  late: boolean
  parkedFor: string | null
}

export type Refund = {
  no: string
  orderNo: string
  amountFen: number
  keepDays: boolean
  status: RefundStatus
  requestedBy: string | null
}

/** Days that an order brought, as a stretch of the user's time; what later ones brought lies behind it. */
export type Stretch = { orderNo: string; from: number; to: number; taken: number }

/** One entry of the ledger. `cause` is the number of the order or of the refund. */
export type Entry = { cause: string; days: number; at: number; endsAt: number }

export type Account = {
  policy: LatePolicy
  orders: readonly Order[]
  refunds: readonly Refund[]
  stretches: readonly Stretch[]
  ledger: readonly Entry[]
}

export const newAccount = (policy: LatePolicy): Account => ({
  policy,
  orders: [],
  refunds: [],
  stretches: [],
  ledger: [],
})

export const endOf = (account: Account): number | null => account.ledger.at(-1)?.endsAt ?? null

export const isUnpaid = ({ status }: Order) => status === 'created' || status === 'prepay'
export const isPaid = ({ status }: Order) => status === 'paid' || status === 'refunded'
export const isOpenRefund = ({ status }: Refund) =>
  status === 'approved' || status === 'processing' || status === 'abnormal'

export function orderNamed({ orders }: Account, no: string): Order {
  const order = orders.find((one) => one.no === no)
  if (!order) throw new Error(`the model knows no order ${no}`)
  return order
}

export function refundNamed({ refunds }: Account, no: string): Refund {
  const refund = refunds.find((one) => one.no === no)
  if (!refund) throw new Error(`the model knows no refund ${no}`)
  return refund
}

export const refundsOf = ({ refunds }: Account, orderNo: string) =>
  refunds.filter((refund) => refund.orderNo === orderNo)

const withOrder = (account: Account, no: string, change: Partial<Order>): Account => ({
  ...account,
  orders: account.orders.map((order) => (order.no === no ? { ...order, ...change } : order)),
})

const withRefund = (account: Account, no: string, change: Partial<Refund>): Account => ({
  ...account,
  refunds: account.refunds.map((refund) => (refund.no === no ? { ...refund, ...change } : refund)),
})

export const opened = (account: Account, order: Order): Account => ({
  ...account,
  orders: [...account.orders, order],
})

export const prepared = (account: Account, no: string): Account =>
  isUnpaid(orderNamed(account, no)) ? withOrder(account, no, { status: 'prepay' }) : account

export const closed = (account: Account, no: string): Account =>
  isUnpaid(orderNamed(account, no)) ? withOrder(account, no, { status: 'closed' }) : account

export type Payment = { transactionId: string; paidAt: number }

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
  const refund = { ...back, orderNo: order.no, amountFen, keepDays: false }
  return { ...account, refunds: [...account.refunds, refund] }
}

/** The platform confirms a payment. `refundNo` names the refund of a late payment that goes straight back. */
export function paid(
  account: Account,
  no: string,
  { payment, at, refundNo }: { payment: Payment; at: number; refundNo: string },
): Account {
  const order = orderNamed(account, no)
  if (isPaid(order)) return account
  const late = order.status === 'closed' && payment.paidAt > order.expiresAt
  const parkedFor = late && account.policy === 'ask' ? 'late_payment' : null
  const next = withOrder(account, no, { status: 'paid', late, parkedFor, ...payment })
  if (parkedFor) return next
  if (!late || account.policy === 'activate') return granted(next, order, at)
  return goingBack(next, order, { no: refundNo, requestedBy: null, status: 'approved' })
}

export type LateDecision = 'activate' | 'refund'

/** Whether a refund of this order waits, is on its way or has arrived. */
export const isGivenBack = (account: Account, no: string): boolean =>
  refundsOf(account, no).some(({ status }) => status !== 'closed' && status !== 'rejected')

/** Whether giving the whole order back takes a second person. */
export const isLarge = (order: Order): boolean => plans[order.plan].amountFen > APPROVAL_ABOVE_FEN

type LateWord = { decision: LateDecision; at: number; refundNo: string; by: string }

/** Finance says what becomes of a payment that came too late, once; a large one stays parked until a second word. */
export function lateDecided(account: Account, no: string, { decision, at, refundNo, by }: LateWord): Account {
  const order = orderNamed(account, no)
  if (order.parkedFor !== 'late_payment' || isGivenBack(account, no)) return account
  if (decision === 'refund' && isLarge(order))
    return goingBack(account, order, { no: refundNo, requestedBy: by, status: 'requested' })
  const next = withOrder(account, no, { parkedFor: null })
  return decision === 'activate'
    ? granted(next, order, at)
    : goingBack(next, order, { no: refundNo, requestedBy: by, status: 'approved' })
}

/** A refund somebody asks for, or null where the rules forbid it. */
export function requested(account: Account, refund: Omit<Refund, 'status'>, now: number): Account | null {
  const order = orderNamed(account, refund.orderNo)
  const total = plans[order.plan].amountFen
  const others = refundsOf(account, order.no).filter(
    ({ status }) => status !== 'closed' && status !== 'rejected',
  )
  const sum = others.reduce((fen, { amountFen }) => fen + amountFen, refund.amountFen)
  const withinYear = order.paidAt !== null && now - order.paidAt < 365 * DAY_MS
  if (order.status !== 'paid' || order.parkedFor || !withinYear || sum > total) return null
  const status = sum > APPROVAL_ABOVE_FEN ? 'requested' : 'approved'
  return { ...account, refunds: [...account.refunds, { ...refund, status }] }
}

/** The second person's word; on a late payment it ends the parking. */
export function decided(account: Account, no: string, approve: boolean): Account {
  const { status, orderNo } = refundNamed(account, no)
  if (status !== 'requested') return account
  const next = withRefund(account, no, { status: approve ? 'approved' : 'rejected' })
  return approve && orderNamed(next, orderNo).parkedFor === 'late_payment'
    ? withOrder(next, orderNo, { parkedFor: null })
    : next
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

/** From where a refund may go where the platform says; anything else changes nothing. */
const refundRoads: Readonly<Record<string, readonly RefundStatus[]>> = {
  processing: ['approved', 'abnormal'],
  succeeded: ['approved', 'processing', 'abnormal'],
  closed: ['approved', 'processing', 'abnormal'],
  abnormal: ['approved', 'processing'],
}

/** The platform says how a refund stands. */
export function settled(account: Account, no: string, { to, at }: { to: RefundStatus; at: number }): Account {
  const refund = refundNamed(account, no)
  if (!refundRoads[to]?.includes(refund.status)) return account
  const next = withRefund(account, no, { status: to })
  if (to !== 'succeeded') return next
  const order = orderNamed(account, refund.orderNo)
  const refundedFen = order.refundedFen + refund.amountFen
  const status = refundedFen === plans[order.plan].amountFen ? 'refunded' : order.status
  return revoked(withOrder(next, order.no, { refundedFen, status }), refund, at)
}
