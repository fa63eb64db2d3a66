import type { Wx } from '@meridian/miniprogram-client'
import { named } from './names.ts'
import { byId, openDialog } from './page.ts'
import { text, yuan } from './texts.ts'

/** What the payer is shown. */
type SheetContents = { outTradeNo: string; description: string; amountFen: number }

/** WeChat's payment sheet; true when the user confirms. */
function ask({ outTradeNo, description, amountFen }: SheetContents): Promise<boolean> {
  byId('sheet-what').textContent = named(description)
  byId('sheet-amount').textContent = yuan(amountFen)
  byId('sheet-order').textContent = outTradeNo
  byId('sheet-confirm').textContent = text('confirmAmount', { price: yuan(amountFen) })
  const close = openDialog(byId('sheet'), byId('sheet-confirm'))
  return new Promise((resolve) => {
    const answered = new AbortController()
    const answer = (confirmed: boolean) => {
      answered.abort()
      close()
      resolve(confirmed)
    }
    const until = { signal: answered.signal }
    byId('sheet-confirm').addEventListener('click', () => answer(true), until)
    byId('sheet-cancel').addEventListener('click', () => answer(false), until)
    byId('sheet').addEventListener('keydown', (event) => event.key === 'Escape' && answer(false), until)
  })
}

export type SeenCall = { method: string; path: string; status: number; ms: number }

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

type Holder = { user: string; onCall: (call: SeenCall) => void; onPaid: () => void }
type Option<Name extends 'request' | 'requestPayment'> = Parameters<Wx[Name]>[0]

async function send(option: Option<'request'>, onCall: Holder['onCall']): Promise<void> {
  const { url, method = 'GET', header, data, success, fail } = option
  const startedAt = performance.now()
  const response = await fetch(url, {
    method,
    ...(header && { headers: header }),
    ...(data && { body: data }),
  }).catch(() => null)
  const path = new URL(url).pathname.replace('/api/v1', '')
  onCall({ method, path, status: response?.status ?? 0, ms: Math.round(performance.now() - startedAt) })
  if (response === null) return fail?.({ errMsg: 'request:fail' })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
  success?.({
    statusCode: response.status,
    header: Object.fromEntries(response.headers),
    data: isJson ? JSON.parse(text) : text,
  })
}

/** As on a phone: WeChat looks up what is to be paid, shows it, and pays when the user confirms. */
async function payBySheet(option: Option<'requestPayment'>, { user, onPaid }: Holder): Promise<void> {
  const { success, fail, ...params } = option
  try {
    const contents = await askWeChat<SheetContents>('payment-sheet', { params })
    if (!(await ask(contents))) return fail?.({ errMsg: 'requestPayment:fail cancel' })
    onPaid()
    await askWeChat('pay', { user, params })
    success?.()
  } catch {
    fail?.({ errMsg: 'requestPayment:fail' })
  }
}

/** The `wx` of a mini-program, with the sandbox in WeChat's place and one storage per user. */
export function wxFor(holder: Holder): Wx {
  const keyOf = (key: string) => `${key}:${holder.user}`
  return {
    request: (option) => void send(option, holder.onCall),
    requestPayment: (option) => void payBySheet(option, holder),
    login: ({ success, fail }) =>
      void askWeChat<{ code: string }>('login', { user: holder.user }).then(
        (answer) => success?.(answer),
        () => fail?.({ errMsg: 'login:fail' }),
      ),
    getStorageSync: (key) => localStorage.getItem(keyOf(key)) ?? '',
    setStorageSync: (key, value) => localStorage.setItem(keyOf(key), value),
    removeStorageSync: (key) => localStorage.removeItem(keyOf(key)),
    getDeviceInfo: () => ({ platform: 'android' }),
  }
}
