import type { Wx } from '@meridian/miniprogram-client'
import { appBaseInfo, deviceInfo, type HeldDevice } from './held-device.ts'
import { askPayer, type SheetContents } from './payment-sheet.ts'

export type SeenCall = { method: string; path: string; status: number; ms: number }

/** WeChat says no; the number is that of the call that was refused, where it has one. */
class WeChatRefusal extends Error {
  readonly errCode: number

  constructor(message: string, errCode: number) {
    super(message)
    this.errCode = errCode
  }
}

async function askWeChat<T>(path: string, body: object): Promise<T> {
  const response = await fetch(`/phone/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new WeChatRefusal(`${answer.message}`, Number(answer.errCode ?? -1))
  return answer
}

type Holder = { user: string; device: HeldDevice; onCall: (call: SeenCall) => void; onPaid: () => void }
type Option<Name extends 'request' | 'requestPayment' | 'requestVirtualPayment'> = Parameters<
  Required<Wx>[Name]
>[0]

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
    if (!(await askPayer(contents, 'jsapi'))) return fail?.({ errMsg: 'requestPayment:fail cancel' })
    onPaid()
    await askWeChat('pay', { user, params })
    success?.()
  } catch {
    fail?.({ errMsg: 'requestPayment:fail' })
  }
}

/** The same by virtual payment: WeChat makes the order itself, or says with a number why it does not. */
async function payVirtually(option: Option<'requestVirtualPayment'>, holder: Holder): Promise<void> {
  const { success, fail, ...params } = option
  const { user, device, onPaid } = holder
  try {
    const contents = await askWeChat<SheetContents>('virtual-sheet', { user, system: device.system, params })
    if (!(await askPayer(contents, device.system === 'ios' ? 'apple' : 'virtual')))
      return fail?.({ errCode: -2, errMsg: 'requestVirtualPayment:fail cancel' })
    onPaid()
    await askWeChat('virtual-pay', { user, number: contents.outTradeNo })
    if (success) Reflect.apply(success, null, [{ errMsg: 'requestVirtualPayment:ok' }])
  } catch (error) {
    const errCode = error instanceof WeChatRefusal ? error.errCode : -1
    fail?.({ errCode, errMsg: error instanceof Error ? error.message : 'requestVirtualPayment:fail' })
  }
}

/** The `wx` of a mini-program, with the sandbox in WeChat's place and one storage per user. */
export function wxFor(holder: Holder): Wx {
  const { device } = holder
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
    getDeviceInfo: () => deviceInfo(device),
    getAppBaseInfo: () => appBaseInfo(device),
    canIUse: (what) => what === 'requestVirtualPayment' && !device.isOld,
    ...(!device.isOld && { requestVirtualPayment: (option) => void payVirtually(option, holder) }),
  }
}
