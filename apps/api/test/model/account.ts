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
export const APPROVAL_ABOVE_FEN = 20_000

export type LatePolicy = 'activate' | 'refund' | 'ask'
export type Channel = 'jsapi' | 'virtual'
/** The phone that somebody buys with: the shop says by which channel it sells to each. */
export type Handset = 'ios' | 'android'
export type SalePolicy = Readonly<Record<Handset, Channel>>

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
  channel: Channel
  key: string | null
  status: 'created' | 'prepay' | 'paid' | 'closed' | 'refunded'
  createdAt: number
  expiresAt: number
  paidAt: number | null
  /** What tells the payment that paid it from every other: its transaction, in virtual payment the number that was paid. */
  paymentNo: string | null
  byApple: boolean
  refundedFen: number
  late: boolean
  parkedFor: string | null
}

/** A payment as the platform tells of it. */
export type Payment = {
  paymentNo: string
  paidAt: number
  byApple: boolean
  /** It says too that the money went back. */
  elsewhere: boolean
}

/** A payment of an order that another one had paid: kept, and never merged. */
export type SecondPayment = Omit<Payment, 'elsewhere'> & { orderNo: string }

/** A refund that somebody else made: Apple's, by the platform's id of it. It waits until its payment is known. */
export type Told = { id: string; orderNo: string; paymentNo: string; amountFen: number }

export type Refund = {
  no: string
  orderNo: string
  /** The second payment that it returns; null for the order's own. */
  second: string | null
  amountFen: number
  keepDays: boolean
  status: RefundStatus
  requestedBy: string | null
  /** The id under which it was told, where we did not ask for it. */
  told: string | null
}

/** Days that an order brought, as a stretch of the user's time; what later ones brought lies behind it. */
export type Stretch = { orderNo: string; from: number; to: number; taken: number }

/** One entry of the ledger. `cause` is the number of the order or of the refund. */
export type Entry = { cause: string; days: number; at: number; endsAt: number }

export type Account = {
  policy: LatePolicy
  sale: SalePolicy
  orders: readonly Order[]
  seconds: readonly SecondPayment[]
  refunds: readonly Refund[]
  told: readonly Told[]
  stretches: readonly Stretch[]
  ledger: readonly Entry[]
}

export const newAccount = (policy: LatePolicy, sale: SalePolicy): Account => ({
  policy,
  sale,
  orders: [],
  seconds: [],
  refunds: [],
  told: [],
  stretches: [],
  ledger: [],
})

export const endOf = (account: Account): number | null => account.ledger.at(-1)?.endsAt ?? null

export const isUnpaid = ({ status }: Order) => status === 'created' || status === 'prepay'
export const isPaid = ({ status }: Order) => status === 'paid' || status === 'refunded'
export const isOpenRefund = ({ status }: Refund) =>
  status === 'approved' || status === 'processing' || status === 'abnormal'
/** Whether its sum counts: it waits, is on its way or has arrived. */
export const isCounted = ({ status }: Refund) => status !== 'closed' && status !== 'rejected'

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

/** The refunds of the order's own payment. */
export const refundsOf = ({ refunds }: Account, orderNo: string) =>
  refunds.filter((refund) => refund.orderNo === orderNo && refund.second === null)

export const sumOf = (refunds: readonly Refund[]): number =>
  refunds.filter(isCounted).reduce((fen, { amountFen }) => fen + amountFen, 0)

/** Whether this much more takes a second person: all refunds of the order count, those of its second payments too. */
export const isLarge = ({ refunds }: Account, orderNo: string, amountFen: number): boolean =>
  sumOf(refunds.filter((refund) => refund.orderNo === orderNo)) + amountFen > APPROVAL_ABOVE_FEN

export const withOrder = (account: Account, no: string, change: Partial<Order>): Account => ({
  ...account,
  orders: account.orders.map((order) => (order.no === no ? { ...order, ...change } : order)),
})

export const withRefund = (account: Account, no: string, change: Partial<Refund>): Account => ({
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
