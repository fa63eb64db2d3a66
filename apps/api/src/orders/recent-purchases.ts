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
  /** Forgets what the database has held for long enough. Nobody calls it while the database is away. */
  forgetOld: () => void
  /** Everything, oldest first. */
  all: () => RecentPurchase[]
}

/** Longer than any standby that is worth promoting lags behind. */
export const keptMs = 15 * 60_000
/** Of about 1.2 KB each: 12 MB at the most. Reached by five purchases a second in one process. */
const mostKept = 10_000

/** A memory that is bounded by time and by number; `nowMs` is a clock that nobody moves. */
export function openRecentPurchases(nowMs = () => performance.now()): RecentPurchases {
  const kept = new Map<string, { atMs: number; purchase: RecentPurchase }>()
  const keep = (purchase: RecentPurchase) => {
    const key = `${purchase.kind} ${purchase.number}`
    kept.delete(key)
    kept.set(key, { atMs: nowMs(), purchase })
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
    forgetOld: () => {
      for (const [key, { atMs }] of kept) {
        if (nowMs() - atMs < keptMs) return
        kept.delete(key)
      }
    },
    all: () => [...kept.values()].map(({ purchase }) => purchase),
  }
}
