import type {
  PlatformOrder,
  PlatformRefund,
  VirtualOrderRecord,
  VirtualRefundRecord,
} from '@meridian/payments/testing'
import {
  DAY_MS,
  isPaid,
  type Order,
  orderNamed,
  type Payment,
  type Refund,
  type RefundStatus,
} from './account.ts'
import { Disagreement, type Effect } from './effects.ts'
import { attemptsOf, type Visit } from './visit.ts'

export const platformOrder = ({ shop }: Visit, no: string): PlatformOrder | undefined =>
  shop.platform.orders.get(no)
export const platformRefund = ({ shop }: Visit, no: string): PlatformRefund | undefined =>
  shop.platform.refunds.get(no)
/** A number whose sheet was opened. */
export const sheetThere = ({ shop }: Visit, number: string): VirtualOrderRecord | undefined =>
  shop.platform.virtual.orders.get(number)

type PlatformPayment = PlatformOrder['payments'][number]
export const inSeconds = (date: Date) => Math.floor(date.getTime() / 1000) * 1000
export const paymentOf = ({ transactionId, paidAt }: PlatformPayment): Payment => ({
  paymentNo: transactionId,
  paidAt: inSeconds(paidAt),
  byApple: false,
  elsewhere: false,
})

/** Paid, and Apple gave the money back: what goes back by us is known here. */
const isBack = ({ status, byApple }: VirtualOrderRecord) => byApple && status >= 8

/** A paid number as its query tells of it. */
const virtualPaymentOf = (sheet: VirtualOrderRecord, paidAt: Date): Payment => ({
  paymentNo: sheet.number,
  paidAt: inSeconds(paidAt),
  byApple: sheet.byApple,
  elsewhere: isBack(sheet),
})

/** The sheets of an order that were opened, oldest first, each with what became of its attempt here. */
export const sheetsOf = (visit: Visit, no: string) =>
  attemptsOf(visit, no).flatMap(({ number, state }) => {
    const sheet = sheetThere(visit, number)
    return sheet ? [{ sheet, state }] : []
  })

/** The payments of an order that the platform holds. */
export const paymentsThere = (visit: Visit, { no, channel }: Order): Payment[] =>
  channel === 'jsapi'
    ? (platformOrder(visit, no)?.payments ?? []).map(paymentOf)
    : sheetsOf(visit, no).flatMap(({ sheet }) =>
        sheet.paidAt ? [virtualPaymentOf(sheet, sheet.paidAt)] : [],
      )

/** What a question about an order is answered with, where it was paid: of virtual payment every open attempt is asked about. */
function paymentsTold(visit: Visit, no: string): Payment[] {
  const order = orderNamed(visit.account, no)
  if (order.channel === 'jsapi') return paymentsThere(visit, order).slice(-1)
  const open = sheetsOf(visit, no).filter(({ state }) => state === 'open')
  const numbers = open.map(({ sheet }) => sheet.number)
  return paymentsThere(visit, order)
    .filter(({ paymentNo }) => numbers.includes(paymentNo))
    .sort((one, next) => one.paidAt - next.paidAt)
}

/** What asking the platform about an order must lead to. */
export function following(visit: Visit, no: string, certain: boolean): Effect[] {
  const told = paymentsTold(visit, no)
  const asked = !isPaid(orderNamed(visit.account, no))
  if (told.length > 0) return told.map((payment) => ({ is: 'paid', certain, no, payment, asked }))
  return platformOrder(visit, no)?.state === 'CLOSED' ? [{ is: 'closed', certain, no }] : []
}

/** Who asks while somebody else closes may have been answered the moment before. */
export function asking(visit: Visit, no: string): (certain: boolean) => Effect[] {
  const before = platformOrder(visit, no)?.state
  return (certain) => following(visit, no, certain && platformOrder(visit, no)?.state === before)
}

/**
 * The same where an unpaid order is to be closed. An order the platform never heard of is closed here alone, and so is
 * one of virtual payment, which has no close call.
 */
export const closing = (visit: Visit, no: string, certain: boolean): Effect[] =>
  platformOrder(visit, no) || paymentsTold(visit, no).length > 0
    ? following(visit, no, certain)
    : [{ is: 'closed', certain, no }]

/** Whether the platform holds that this unpaid order was paid. */
export const isPaidThere = (visit: Visit, no: string): boolean => paymentsTold(visit, no).length > 0

export const ends = {
  PROCESSING: 'processing',
  SUCCESS: 'succeeded',
  CLOSED: 'closed',
  ABNORMAL: 'abnormal',
} as const
const virtualEnds: Readonly<Record<number, RefundStatus>> = { 5: 'processing', 7: 'closed', 8: 'succeeded' }

export const virtualRefund = ({ shop }: Visit, no: string): VirtualRefundRecord | undefined =>
  shop.platform.virtual.refunds.get(no)

/** How a refund of ours stands at the platform; null where it has none. */
export function refundThere(visit: Visit, no: string): RefundStatus | null {
  const theirs = platformRefund(visit, no)
  if (theirs) return ends[theirs.status]
  return virtualEnds[virtualRefund(visit, no)?.status ?? -1] ?? null
}

/** What tracking a refund must lead to: the platform knows it now, and it stands here as it stands there. */
export function tracking(visit: Visit, refund: Refund, certain: boolean): Effect[] {
  const order = orderNamed(visit.account, refund.orderNo)
  const waits = order.parkedFor !== null && refund.second === null
  if (waits || !['approved', 'processing'].includes(refund.status)) return []
  const to = refundThere(visit, refund.no)
  // A year after the payment the platform takes no refund any more.
  const isTooLate = order.paidAt !== null && visit.shop.now() - order.paidAt >= 365 * DAY_MS
  // Of several that leave at once for one payment, each changes what the others say is left (virtual payment §3.4).
  const isAlone =
    order.channel === 'jsapi' ||
    visit.account.refunds.filter(({ orderNo, status }) => orderNo === order.no && status === 'approved')
      .length <= 2
  if (to === null && certain && !isTooLate && isAlone)
    throw new Disagreement(`refund ${refund.no} was not sent to the platform`)
  return to === null ? [] : [{ is: 'settled', certain, no: refund.no, to }]
}

/** Refunds that the platform was sent and that the model has yet to hear of: a late payment was found, and goes back. */
export const newlySent = (visit: Visit): string[] =>
  [...visit.shop.platform.virtual.refunds.values()].flatMap(({ number, orderNumber, byApple }) => {
    const isOurs = visit.account.orders.some(({ no }) =>
      attemptsOf(visit, no).some((attempt) => attempt.number === orderNumber),
    )
    const isKnown = visit.account.refunds.some(({ no }) => no === number)
    return isOurs && !byApple && !isKnown ? [number] : []
  })
