import type { Order, Purchase, Subscription } from '@meridian/contracts'
import { type Attempt, openAttempts } from './attempt.ts'
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

  async function paid(order: Order, known?: Subscription): Promise<Outcome> {
    attempts.forget()
    const shown =
      known ??
      (await session.call('/subscription').then(
        ({ body }) => Object(body),
        () => null,
      ))
    return { kind: 'paid', order, subscription: shown }
  }

  async function askAbout(outTradeNo: string): Promise<Word> {
    try {
      const { body } = await session.call(`/subscription/orders/${outTradeNo}/sync`, { method: 'POST' })
      const { order, subscription }: Synced = Object(body)
      if (isPaid(order)) return paid(order, subscription)
      if (order.status !== 'closed') return { kind: 'unpaid' }
      attempts.forget()
      return { kind: 'closed', outTradeNo }
    } catch (error) {
      if (!isProblem(error, 'order_not_found')) return { kind: 'pending', outTradeNo }
      attempts.forget()
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
  async function afterCancel(attempt: Attempt, outTradeNo: string): Promise<Outcome> {
    const word = await askAbout(outTradeNo)
    if (word.kind === 'paid' || word.kind === 'pending') return word
    if (word.kind === 'unpaid') attempts.keep({ ...attempt, outTradeNo, unsettled: false })
    return { kind: 'cancelled', outTradeNo }
  }

  async function payOnce(attempt: Attempt): Promise<Outcome> {
    const { order, payment_params } = await purchase(attempt)
    const outTradeNo = order.out_trade_no
    attempts.keep({ ...attempt, outTradeNo, unsettled: true })
    const said = await phone.requestPayment(payment_params).catch(() => 'unclear' as const)
    return said === 'cancelled' ? afterCancel(attempt, outTradeNo) : confirm(outTradeNo)
  }

  /** What became of a sheet that was opened for something else: nobody pays for two because one was slow. */
  async function settleBefore({ code }: PlanChoice): Promise<Outcome | null> {
    const open = attempts.read()
    if (!open?.unsettled || open.outTradeNo === null || open.planCode === code) return null
    const word = await askAbout(open.outTradeNo)
    return word.kind === 'paid' || word.kind === 'pending' ? word : null
  }

  async function pay(plan: PlanChoice): Promise<Outcome> {
    const before = await settleBefore(plan)
    if (before) return before
    try {
      return await payOnce(attempts.begin(plan))
    } catch (error) {
      if (isProblem(error, 'order_already_paid') && error.outTradeNo) return confirm(error.outTradeNo)
      if (isProblem(error, 'order_closed')) {
        attempts.forget()
        return payOnce(attempts.begin(plan))
      }
      if (isProblem(error, 'price_changed', 'plan_not_found', 'idempotency_key_reused')) attempts.forget()
      throw error
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
