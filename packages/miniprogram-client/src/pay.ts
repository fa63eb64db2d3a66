import type { Order, Purchase, Subscription } from '@meridian/contracts'
import { type Attempt, isFor, openAttempts } from './attempt.ts'
import type { Phone } from './phone.ts'
import type { PlanChoice } from './plans.ts'
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
type Word = Outcome | { kind: 'unpaid' } | { kind: 'gone' }

type Synced = { order: Order; subscription: Subscription }

const isPaid = ({ status }: Order) => status === 'paid' || status === 'refunded'

export function openPayments(phone: Phone, session: Session) {
  const attempts = openAttempts(phone)
  /** What was confirmed to be paid since this client was made, oldest first. */
  const confirmed: Outcome[] = []

  const purchase = async ({ planCode, amountFen, key }: Attempt): Promise<Purchase> => {
    const answer = await session.call('/subscription/purchase', {
      method: 'POST',
      body: { plan_code: planCode, expected_amount_fen: amountFen },
      headers: { 'idempotency-key': key },
    })
    return Object(answer.body)
  }
  const orderOf = async (outTradeNo: string): Promise<Order> =>
    Object((await session.call(`/subscription/orders/${outTradeNo}`, { repeats: 0 })).body).order
  const actOn = (outTradeNo: string, act: 'sync' | 'cancel') =>
    session.call(`/subscription/orders/${outTradeNo}/${act}`, { method: 'POST' })

  async function paid(order: Order, known?: Subscription): Promise<Outcome> {
    const shown =
      known ??
      (await session.call('/subscription').then(
        ({ body }) => Object(body),
        () => null,
      ))
    attempts.forget(order.out_trade_no)
    const outcome: Outcome = { kind: 'paid', order, subscription: shown }
    confirmed.push(outcome)
    return outcome
  }

  async function askAbout(outTradeNo: string): Promise<Word> {
    try {
      const { order, subscription }: Synced = Object((await actOn(outTradeNo, 'sync')).body)
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

  const confirm = async (outTradeNo: string): Promise<Outcome> =>
    (await find(outTradeNo)) ?? { kind: 'closed', outTradeNo }

  /** Who closes the sheet has not paid; the platform is asked all the same, because the sheet may be wrong. */
  async function afterCancel(key: string, outTradeNo: string): Promise<Outcome> {
    const word = await askAbout(outTradeNo)
    if (word.kind === 'paid' || word.kind === 'pending') return word
    attempts.note(key, { unsettled: false })
    return { kind: 'cancelled', outTradeNo }
  }

  async function payOnce(attempt: Attempt): Promise<Outcome> {
    const { key } = attempt
    const { order, payment_params } = await purchase(attempt)
    const outTradeNo = order.out_trade_no
    // Where another plan was chosen while this one was ordered, its sheet is the one to open.
    if (!attempts.note(key, { outTradeNo, unsettled: true })) return afterCancel(key, outTradeNo)
    const said = await phone.requestPayment(payment_params).catch(() => 'unclear' as const)
    return said === 'cancelled' ? afterCancel(key, outTradeNo) : confirm(outTradeNo)
  }

  /**
   * The attempt to go on with, which is never the one that is `over`; or what came of a sheet that was opened before.
   * Nobody pays for two: a sheet of another order is opened only after this one is closed on the platform, and none once
   * a payment was confirmed since this `pay` began, as when two plans are tapped at once. `confirmedBefore` is how many
   * were confirmed when it began.
   */
  async function makeWay(
    plan: PlanChoice,
    confirmedBefore: number,
    over: string | null,
  ): Promise<Attempt | Outcome> {
    for (let asked = ''; ; ) {
      const open = attempts.read()
      if (!open?.unsettled || open.outTradeNo === null || open.key === asked)
        return confirmed[confirmedBefore] ?? attempts.begin(plan, over)
      const { key, outTradeNo } = open
      const goesOn = isFor(open, plan) && key !== over
      if (!goesOn) await actOn(outTradeNo, 'cancel').catch(() => null)
      const word = await askAbout(outTradeNo)
      if (word.kind === 'paid' || word.kind === 'pending') return word
      if (word.kind === 'unpaid' && !goesOn) return { kind: 'pending', outTradeNo }
      asked = key
    }
  }

  async function pay(plan: PlanChoice): Promise<Outcome> {
    const confirmedBefore = confirmed.length
    const attempt = await makeWay(plan, confirmedBefore, null)
    if ('kind' in attempt) return attempt
    try {
      return await payOnce(attempt)
    } catch (error) {
      if (isProblem(error, 'order_already_paid') && error.outTradeNo) return confirm(error.outTradeNo)
      if (!isProblem(error, 'order_closed', 'idempotency_key_reused')) throw error
      // The sheet of another order may still be open, or have been paid: nobody is asked to pay before that is known.
      const next = await makeWay(plan, confirmedBefore, attempt.key)
      return 'kind' in next ? next : payOnce(next)
    }
  }

  return {
    pay,
    confirm,
    /** What became of the payment that was under way when the mini-program was closed; null when none was. */
    resume: async (): Promise<Outcome | null> => {
      const open = attempts.read()
      return open?.unsettled && open.outTradeNo !== null ? find(open.outTradeNo) : null
    },
  }
}
