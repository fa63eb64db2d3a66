import { isPurchase, type Purchase } from './answers.ts'
import {
  type Attempt,
  type Attempts,
  isFor,
  type Lookup,
  type Outcome,
  openAttempts,
  openLookup,
} from './payment-attempt.ts'
import type { Phone } from './phone.ts'
import type { PlanChoice } from './plans.ts'
import { answered, isProblem } from './problem.ts'
import type { Session } from './session.ts'

type Desk = { phone: Phone; session: Session; attempts: Attempts; lookup: Lookup }
type Way = { plan: PlanChoice; confirmedBefore: number; over: string | null }

async function purchase({ session }: Desk, { planCode, amountFen, key }: Attempt): Promise<Purchase> {
  const answer = await session.call('/subscription/purchase', {
    method: 'POST',
    body: { plan_code: planCode, expected_amount_fen: amountFen },
    headers: { 'idempotency-key': key },
  })
  return answered(answer, isPurchase)
}

const confirm = async ({ lookup }: Desk, outTradeNo: string): Promise<Outcome> =>
  (await lookup.find(outTradeNo)) ?? { kind: 'closed', outTradeNo }

/** Who closes the sheet has not paid; the platform is asked all the same, because the sheet may be wrong. */
async function afterCancel({ lookup, attempts }: Desk, key: string, outTradeNo: string): Promise<Outcome> {
  const word = await lookup.askAbout(outTradeNo)
  if (word.kind === 'paid' || word.kind === 'pending') return word
  attempts.note(key, { unsettled: false })
  return { kind: 'cancelled', outTradeNo }
}

async function payOnce(desk: Desk, attempt: Attempt): Promise<Outcome> {
  const { phone, attempts } = desk
  const { key } = attempt
  const { order, payment_params } = await purchase(desk, attempt)
  const outTradeNo = order.out_trade_no
  // Where another plan was chosen while this one was ordered, its sheet is the one to open.
  if (!attempts.note(key, { outTradeNo, unsettled: true })) return afterCancel(desk, key, outTradeNo)
  const said = await phone.requestPayment(payment_params).catch(() => 'unclear' as const)
  return said === 'cancelled' ? afterCancel(desk, key, outTradeNo) : confirm(desk, outTradeNo)
}

/**
 * The attempt to go on with, which is never the one that is `over`; or what came of a sheet that was opened before.
 * Nobody pays for two: a sheet of another order is opened only after this one is closed on the platform, and none once
 * a payment was confirmed since this `pay` began, as when two plans are tapped at once. `confirmedBefore` is how many
 * were confirmed when it began.
 */
async function makeWay(
  { attempts, lookup }: Desk,
  { plan, confirmedBefore, over }: Way,
): Promise<Attempt | Outcome> {
  for (let asked = ''; ; ) {
    const open = attempts.read()
    if (!open?.unsettled || open.outTradeNo === null || open.key === asked)
      return lookup.confirmed[confirmedBefore] ?? attempts.begin(plan, over)
    const { key, outTradeNo } = open
    const goesOn = isFor(open, plan) && key !== over
    if (!goesOn) await lookup.cancel(outTradeNo).catch(() => null)
    const word = await lookup.askAbout(outTradeNo)
    if (word.kind === 'paid' || word.kind === 'pending') return word
    if (word.kind === 'unpaid' && !goesOn) return { kind: 'pending', outTradeNo }
    asked = key
  }
}

async function pay(desk: Desk, plan: PlanChoice): Promise<Outcome> {
  const confirmedBefore = desk.lookup.confirmed.length
  const attempt = await makeWay(desk, { plan, confirmedBefore, over: null })
  if ('kind' in attempt) return attempt
  try {
    return await payOnce(desk, attempt)
  } catch (error) {
    if (isProblem(error, 'order_already_paid') && error.outTradeNo) return confirm(desk, error.outTradeNo)
    if (!isProblem(error, 'order_closed', 'idempotency_key_reused')) throw error
    // The sheet of another order may still be open, or have been paid: nobody is asked to pay before that is known.
    const next = await makeWay(desk, { plan, confirmedBefore, over: attempt.key })
    return 'kind' in next ? next : payOnce(desk, next)
  }
}

export function openPayments(phone: Phone, session: Session) {
  const attempts = openAttempts(phone)
  const desk: Desk = { phone, session, attempts, lookup: openLookup({ phone, session, attempts }) }
  return {
    pay: (plan: PlanChoice) => pay(desk, plan),
    confirm: (outTradeNo: string) => confirm(desk, outTradeNo),
    /** What became of the payment that was under way when the mini-program was closed; null when none was. */
    resume: async (): Promise<Outcome | null> => {
      const open = attempts.read()
      return open?.unsettled && open.outTradeNo !== null ? desk.lookup.find(open.outTradeNo) : null
    },
  }
}
