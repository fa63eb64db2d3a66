import { answered } from './answered.ts'
import { isOrderAnswer, isSubscription, isSyncAnswer, type Order, type Subscription } from './answers.ts'
import type { Attempts } from './attempt.ts'
import type { Phone } from './phone.ts'
import { isProblem } from './problem.ts'
import type { Session } from './session.ts'

/**
 * What came of a payment. There is no "failed": a payment that cannot be confirmed now is `pending`, and `resume`
 * or the next `pay` finds out.
 */
export type Outcome =
  | { kind: 'paid'; order: Order; subscription: Subscription | null }
  | { kind: 'pending'; outTradeNo: string }
  /** Nothing was paid; the order still can be. */
  | { kind: 'cancelled'; outTradeNo: string }
  /** Nothing was paid, and this order cannot be any more: the next `pay` makes a new one. */
  | { kind: 'closed'; outTradeNo: string }

/** How long to wait before each look at the order; the notification usually needs less than a second. */
const looksAfterMs = [200, 500, 1000, 2000]

/** What the platform says of an order; `gone` where the user has no such order: it was an erased account's. */
export type RemoteState = Outcome | { kind: 'unpaid' } | { kind: 'gone' }

const isPaid = ({ status }: Order) => status === 'paid' || status === 'refunded'

type Desk = { phone: Phone; session: Session; attempts: Attempts }

export type Lookup = ReturnType<typeof openLookup>

/** Learns what became of an order, and forgets the attempts that are over. */
export function openLookup({ phone, session, attempts }: Desk) {
  /** What was confirmed to be paid since this client was made, oldest first. */
  const confirmed: Outcome[] = []

  const orderOf = async (outTradeNo: string): Promise<Order> =>
    answered(await session.call(`/subscription/orders/${outTradeNo}`, { repeats: 0 }), isOrderAnswer).order
  const actOn = (outTradeNo: string, act: 'sync' | 'cancel') =>
    session.call(`/subscription/orders/${outTradeNo}/${act}`, { method: 'POST' })
  const subscriptionNow = async (): Promise<Subscription> =>
    answered(await session.call('/subscription'), isSubscription)

  async function paid(order: Order, known?: Subscription): Promise<Outcome> {
    const subscription = known ?? (await subscriptionNow().catch(() => null))
    attempts.forget(order.out_trade_no)
    const outcome: Outcome = { kind: 'paid', order, subscription }
    confirmed.push(outcome)
    return outcome
  }

  async function askAbout(outTradeNo: string): Promise<RemoteState> {
    try {
      const { order, subscription } = answered(await actOn(outTradeNo, 'sync'), isSyncAnswer)
      if (isPaid(order)) return paid(order, subscription)
      if (order.status !== 'closed') return { kind: 'unpaid' }
      attempts.forget(outTradeNo)
      return { kind: 'closed', outTradeNo }
    } catch (error) {
      if (!isProblem(error, 'order_not_found')) return { kind: 'pending', outTradeNo }
      attempts.forget(outTradeNo)
      return { kind: 'gone' }
    }
  }

  /**
   * Looks a few times, then lets the API ask the platform once; what cannot be learned now stays open. Null where the
   * order is nobody's.
   */
  async function find(outTradeNo: string): Promise<Outcome | null> {
    for (const ms of looksAfterMs) {
      await phone.wait(ms)
      const order = await orderOf(outTradeNo).catch(() => null)
      if (order && isPaid(order)) return paid(order)
      if (order?.status === 'closed') break
    }
    const word = await askAbout(outTradeNo)
    if (word.kind === 'gone') return null
    return word.kind === 'unpaid' ? { kind: 'pending', outTradeNo } : word
  }

  return { confirmed, askAbout, find, cancel: (outTradeNo: string) => actOn(outTradeNo, 'cancel') }
}
