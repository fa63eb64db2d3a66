import { isOrderAnswer, isSubscription, isSyncAnswer, type Order, type Subscription } from './answers.ts'
import { type Checked, flag, number, orNull, shape, text } from './check.ts'
import { type Phone, readStored } from './phone.ts'
import type { PlanChoice } from './plans.ts'
import { answered, isProblem } from './problem.ts'
import type { Session } from './session.ts'

const isAttempt = shape({
  planCode: text,
  amountFen: number,
  /** The Idempotency-Key of its purchase. */
  key: text,
  outTradeNo: orNull(text),
  /** Whether the payment sheet was opened and nobody knows yet what came of it. */
  unsettled: flag,
})
/** One wish to buy a plan, until it is paid: whatever happens in between, it is one order. */
export type Attempt = Checked<typeof isAttempt>

const storedAt = 'meridian.attempt'

/** Belongs to one user: nothing secret, it only must not repeat. */
const newKey = () =>
  [Date.now(), Math.random() * 2 ** 52, Math.random() * 2 ** 52]
    .map((number) => Math.floor(number).toString(36))
    .join('-')

export const isFor = ({ planCode, amountFen }: Attempt, { code, price_fen }: PlanChoice): boolean =>
  planCode === code && amountFen === price_fen

export type Attempts = ReturnType<typeof openAttempts>

export function openAttempts({ storage }: Phone) {
  const read = (): Attempt | null => readStored({ storage }, storedAt, isAttempt)
  const keep = (attempt: Attempt): Attempt => {
    storage.write(storedAt, JSON.stringify(attempt))
    return attempt
  }
  return {
    read,
    /** Adds to what is known of the attempt with this key, and returns what was; null where it gave way to another. */
    note: (key: string, known: Partial<Attempt>): Attempt | null => {
      const open = read()
      if (open?.key !== key) return null
      keep({ ...open, ...known })
      return open
    },
    /** Forgets the attempt of this order, and no other; whichever there is where none is named. */
    forget: (outTradeNo?: string) => {
      if (outTradeNo === undefined || read()?.outTradeNo === outTradeNo) storage.write(storedAt, null)
    },
    /** The attempt that is under way for this plan at this price, unless it is over, or a new one in its place. */
    begin: (plan: PlanChoice, over: string | null): Attempt => {
      const open = read()
      if (open && isFor(open, plan) && open.key !== over) return open
      const { code, price_fen } = plan
      return keep({ planCode: code, amountFen: price_fen, key: newKey(), outTradeNo: null, unsettled: false })
    },
  }
}

/**
 * What came of a payment. There is no "failed": a payment that cannot be confirmed now is `pending`, and `resume`
 * or the next `pay` finds out.
 */
export type Outcome =
  | { kind: 'paid'; order: Order; subscription: Subscription | null }
  | { kind: 'pending'; outTradeNo: string }
  /** Nothing was paid; the order still can be. `sheetError`: it was not the user but the sheet that refused. */
  | { kind: 'cancelled'; outTradeNo: string; sheetError?: number }
  /** Nothing was paid, and this order cannot be any more: the next `pay` makes a new one. */
  | { kind: 'closed'; outTradeNo: string }

/** How a sheet ended: its errCode, 0 where there is none, and in virtual payment the number it was opened for. */
export type SheetEnd = { code: number; number: string }

/** There was none, or nothing is known of it. */
const noSheet: SheetEnd = { code: 0, number: '' }

/** How long to wait before each look at the order; the notification usually needs less than a second. */
const looksAfterMs = [200, 500, 1000, 2000]

/** What the platform says of an order; `gone` where the user has no such order: it was an erased account's. */
type RemoteState = Outcome | { kind: 'unpaid' } | { kind: 'gone' }

const isPaid = ({ status }: Order) => status === 'paid' || status === 'refunded'

type Desk = { phone: Phone; session: Session; attempts: Attempts }

export type Lookup = ReturnType<typeof openLookup>

/** Learns what became of an order, and forgets the attempts that are over. */
export function openLookup({ phone, session, attempts }: Desk) {
  /** What was confirmed to be paid since this client was made, oldest first. */
  const confirmed: Outcome[] = []

  const orderOf = async (outTradeNo: string): Promise<Order> =>
    answered(await session.call(`/subscription/orders/${outTradeNo}`, { repeats: 0 }), isOrderAnswer).order
  const actOn = (outTradeNo: string, act: 'sync' | 'cancel', body?: object) =>
    session.call(`/subscription/orders/${outTradeNo}/${act}`, { method: 'POST', body })
  const subscriptionNow = async (): Promise<Subscription> =>
    answered(await session.call('/subscription'), isSubscription)

  async function paid(order: Order, known?: Subscription): Promise<Outcome> {
    const subscription = known || (await subscriptionNow().catch(() => null))
    attempts.forget(order.out_trade_no)
    const outcome: Outcome = { kind: 'paid', order, subscription }
    confirmed.push(outcome)
    return outcome
  }

  async function askAbout(outTradeNo: string, end = noSheet): Promise<RemoteState> {
    try {
      const body = end.number && end.code ? { sheet_error: end } : undefined
      const told = await actOn(outTradeNo, 'sync', body)
      const { order, subscription } = answered(told, isSyncAnswer)
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
  async function find(outTradeNo: string, end = noSheet): Promise<Outcome | null> {
    for (const ms of looksAfterMs) {
      await phone.wait(ms)
      const order = await orderOf(outTradeNo).catch(() => null)
      if (order && isPaid(order)) return paid(order)
      if (order?.status === 'closed') break
    }
    const word = await askAbout(outTradeNo, end)
    if (word.kind === 'gone') return null
    return word.kind === 'unpaid' ? { kind: 'pending', outTradeNo } : word
  }

  return { confirmed, askAbout, find, cancel: (outTradeNo: string) => actOn(outTradeNo, 'cancel') }
}
