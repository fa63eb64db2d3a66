import { isPurchase, isVirtualParams, type PaymentParams, type Purchase } from './answers.ts'
import {
  type Attempt,
  type Attempts,
  isFor,
  type Lookup,
  type Outcome,
  openAttempts,
  openLookup,
  type SheetEnd,
} from './payment-attempt.ts'
import type { Phone } from './phone.ts'
import type { PlanChoice } from './plans.ts'
import { answered, isProblem } from './problem.ts'
import type { Session } from './session.ts'

type Desk = { phone: Phone; session: Session; attempts: Attempts; lookup: Lookup }
type Way = { plan: PlanChoice; confirmedBefore: number; over: string | null }

/** For how long the API repeats what it signed last, as long as the platform has not seen its number. */
const signedAnewAfterMs = 10_000

/** What a new number and a new session cure, and so a new purchase call (virtual payment §2.5). */
const curable = [-15002, -15003, -15005, -15007, -15012]

/** Buys; where the answer is the one that a sheet has just refused, once more when its time has passed. */
async function purchase(desk: Desk, attempt: Attempt, refused?: string | false): Promise<Purchase> {
  const { phone, session } = desk
  const answer = await session.call('/subscription/purchase', {
    method: 'POST',
    makeBody: async () => ({
      plan_code: attempt.planCode,
      expected_amount_fen: attempt.amountFen,
      // What is not named is JSAPI. A code is good for one call, repeats included.
      ...(phone.requestVirtualPayment && {
        channels: ['jsapi', 'virtual'],
        login_code: await phone.loginCode(),
      }),
    }),
    headers: { 'idempotency-key': attempt.key },
  })
  const bought = answered(answer, isPurchase)
  if (!refused || signedText(bought.payment_params) !== refused) return bought
  await phone.wait(signedAnewAfterMs)
  return purchase(desk, attempt)
}

const signedText = (params: PaymentParams) => isVirtualParams(params) && params.signData

/** The errCode that says the same (virtual payment §2.5); 0 is no error, and no proof of a payment. */
const codes = { paid: 0, cancelled: -2, unclear: -1 }

/** Opens the sheet of the order's channel, with the texts as they came. */
async function openSheet({ phone }: Desk, params: PaymentParams): Promise<SheetEnd> {
  if (!isVirtualParams(params)) return { code: codes[await phone.requestPayment(params)], number: '' }
  const code = phone.requestVirtualPayment ? await phone.requestVirtualPayment(params) : 0
  return { code, number: /"outTradeNo":"([^"]+)/.exec(params.signData)?.[1] || '' }
}

/** Whether the sheet did not even open: a wrong parameter, risk control, or what is wrong with order, item or account. */
const isRefused = (code: number) => code === 1001 || code === -4 || code <= -15001

const confirm = async ({ lookup }: Desk, outTradeNo: string, end?: SheetEnd): Promise<Outcome> =>
  (await lookup.find(outTradeNo, end)) || { kind: 'closed', outTradeNo }

const unopened: SheetEnd = { code: -2, number: '' }
const unclear: SheetEnd = { code: -1, number: '' }

/**
 * Buys and opens the sheet; once more where a sheet refused what a new purchase call makes anew. Who closes a sheet has
 * not paid; the platform is asked all the same, because the sheet may be wrong. A sheet that did not open tells nothing
 * of an earlier one, which stays as unsettled as it was: it may still be paid.
 */
async function payOnce(desk: Desk, attempt: Attempt, refused?: string | false): Promise<Outcome> {
  const { attempts, lookup } = desk
  const { key } = attempt
  const { order, payment_params } = await purchase(desk, attempt, refused)
  const outTradeNo = order.out_trade_no
  // Where another plan was chosen while this one was ordered, its sheet is the one to open.
  const before = attempts.note(key, { outTradeNo, unsettled: true })
  const end = before ? await openSheet(desk, payment_params).catch(() => unclear) : unopened
  const sheetError = isRefused(end.code) && end.code
  if (end.code !== -2 && !sheetError) return confirm(desk, outTradeNo, end)
  const word = await lookup.askAbout(outTradeNo, end)
  if (word.kind === 'paid' || word.kind === 'pending') return word
  attempts.note(key, { unsettled: !!sheetError && !!before?.unsettled })
  if (!refused && curable.includes(end.code)) return payOnce(desk, attempt, signedText(payment_params))
  return { kind: 'cancelled', outTradeNo, ...(sheetError && { sheetError }) }
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
      return lookup.confirmed[confirmedBefore] || attempts.begin(plan, over)
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
