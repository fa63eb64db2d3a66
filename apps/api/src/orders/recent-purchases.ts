import type { ConfirmedPayment, ConfirmedRefund } from '@meridian/payments'

/** A new order: its columns as JSON, and whose it is. */
export type OpenedOrder = { kind: 'order'; number: string; openid: string; userId: string; row: string }
/** A number that was signed for an order of virtual payment. */
export type SignedAttempt = { kind: 'attempt'; number: string; openid: string; outTradeNo: string }
type TakenPayment = { kind: 'payment'; number: string; openid: string | null; payment: ConfirmedPayment }
type TakenRefund = { kind: 'refund'; number: string; openid: null; refund: ConfirmedRefund }
export type RecentPurchase = OpenedOrder | SignedAttempt | TakenPayment | TakenRefund

/** What this process told a phone or the platform is done, in its memory alone. It holds openids: it is never logged. */
export type RecentPurchases = {
  openedOrder: (order: Omit<OpenedOrder, 'kind'>) => void
  signedAttempt: (attempt: Omit<SignedAttempt, 'kind'>) => void
  tookPayment: (payment: ConfirmedPayment) => void
  tookRefund: (refund: ConfirmedRefund) => void
  /** Whose account is erased leaves nothing here either. */
  forgetPayer: (openid: string) => void
  /** What is to be looked for in the database by now: a minute after it was told, and before it is forgotten. */
  due: (nowMs: number) => RecentPurchase[]
  /** That these are there: the old ones among them are forgotten, and nothing else is, but for its number. */
  found: (purchases: readonly RecentPurchase[], nowMs: number) => void
  /** What was made again just now may be lost again: everything is kept as if it had been told now. */
  renew: (nowMs: number) => void
  /** Forgets what cannot be made again. */
  forget: (purchases: readonly RecentPurchase[]) => void
  /** Everything, oldest first. */
  all: () => RecentPurchase[]
}

const firstLookAfterMs = 60_000
/** Longer than any standby that is worth promoting lags behind. */
const keptMs = 15 * 60_000
/** Of about 1.2 KB each: 12 MB at the most. Reached by five purchases a second in one process. */
const mostKept = 10_000

type Kept = { atMs: number; isFound: boolean; purchase: RecentPurchase }

const keyOf = ({ kind, number }: RecentPurchase) => `${kind} ${number}`

/** A memory that is bounded by time and by number, on a clock that nobody moves. */
export function openRecentPurchases(): RecentPurchases {
  const kept = new Map<string, Kept>()
  const keep = (purchase: RecentPurchase) => {
    kept.delete(keyOf(purchase))
    kept.set(keyOf(purchase), { atMs: performance.now(), isFound: false, purchase })
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
  }
  return {
    openedOrder: (order) => keep({ kind: 'order', ...order }),
    signedAttempt: (attempt) => keep({ kind: 'attempt', ...attempt }),
    tookPayment: (payment) =>
      keep({ kind: 'payment', number: payment.paymentNo, openid: payment.payerOpenid, payment }),
    tookRefund: (refund) => keep({ kind: 'refund', number: refund.outRefundNo, openid: null, refund }),
    forgetPayer: (openid) => {
      for (const [key, { purchase }] of kept) if (purchase.openid === openid) kept.delete(key)
    },
    due: (nowMs) =>
      [...kept.values()]
        .filter(({ atMs, isFound }) => nowMs - atMs >= (isFound ? keptMs : firstLookAfterMs))
        .map(({ purchase }) => purchase),
    found: (purchases, nowMs) => {
      for (const key of purchases.map(keyOf)) {
        const one = kept.get(key)
        if (!one) continue
        one.isFound = true
        if (nowMs - one.atMs >= keptMs) kept.delete(key)
      }
    },
    renew: (nowMs) => {
      for (const one of kept.values()) Object.assign(one, { atMs: nowMs, isFound: false })
    },
    forget: (purchases) => {
      for (const key of purchases.map(keyOf)) kept.delete(key)
    },
    all: () => [...kept.values()].map(({ purchase }) => purchase),
  }
}
