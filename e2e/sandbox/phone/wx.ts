import type { Purchase } from '@meridian/contracts'
import { ask, type SheetContents } from './payment-sheet.ts'

type PaymentParams = Purchase['payment_params']
async function askWeChat<T>(path: string, body: object): Promise<T> {
  const response = await fetch(`/phone/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${answer.message}`)
  return answer
}

/** The two calls of WeChat that the mini-program needs, with the sandbox in WeChat's place. */
export const wx = {
  login: (user: string) => askWeChat<{ code: string }>('login', { user }),

  /** As on a phone: WeChat looks up what is to be paid, shows it, and pays when the user confirms. */
  async requestPayment(user: string, params: PaymentParams): Promise<'paid' | 'cancelled'> {
    const contents = await askWeChat<SheetContents>('payment-sheet', { params })
    if (!(await ask(contents))) return 'cancelled'
    await askWeChat('pay', { user, params })
    return 'paid'
  },
}
