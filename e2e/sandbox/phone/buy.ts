import type { Order, Plan, Subscription } from '@meridian/contracts'
import type { PhoneApi } from './phone-api.ts'
import { wx } from './wx.ts'

const looks = 4
const lookEveryMs = 700

export type Outcome =
  | { kind: 'paid'; subscription: Subscription }
  | { kind: 'pending'; outTradeNo: string }
  | { kind: 'cancelled' }

type Buyer = { api: PhoneApi; name: string; onPaid: () => void }

/**
 * Buys a plan as a good mini-program does: the price shown is the price charged, a retry is the same order,
 * and the answer of WeChat's payment sheet is never taken for the payment: only the server knows that.
 */
export async function buy({ api, name, onPaid }: Buyer, plan: Plan): Promise<Outcome> {
  const before = await api.subscription()
  const { order, payment_params } = await api.purchase(plan.code, plan.price_fen, idempotencyKey(plan.code))
  if ((await wx.requestPayment(name, payment_params)) === 'cancelled') return { kind: 'cancelled' }
  forgetKey(plan.code)
  onPaid()
  return confirm(api, order, before)
}

async function confirm(api: PhoneApi, order: Order, before: Subscription): Promise<Outcome> {
  for (let look = 0; look < looks; look += 1) {
    const subscription = await api.subscription()
    if (subscription.expires_at !== before.expires_at) return { kind: 'paid', subscription }
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
  return sync(api, order.out_trade_no)
}

/** Asks the server to ask the platform; what a client does when the notification is missing. */
export async function sync(api: PhoneApi, outTradeNo: string): Promise<Outcome> {
  const { order, subscription } = await api.sync(outTradeNo)
  return order.status === 'paid' ? { kind: 'paid', subscription } : { kind: 'pending', outTradeNo }
}

const attempts = new Map<string, string>()

/** One key per attempt to buy a plan, kept until it is paid: a retry after a failure is the same order. */
function idempotencyKey(planCode: string): string {
  const key = attempts.get(planCode) ?? randomKey()
  attempts.set(planCode, key)
  return key
}

export function forgetKey(planCode: string): void {
  attempts.delete(planCode)
}

/** `crypto.randomUUID` exists only on https and localhost; a phone in the same network has neither. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
