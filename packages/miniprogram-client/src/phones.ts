import type { JsapiPaymentParams, VirtualPaymentParams } from './answers.ts'
import { type Phone, type SheetAnswer, waitOnClock } from './phone.ts'

type Failing = { fail?: (failure: { errMsg: string }) => void }
type RequestOption = Failing & {
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  header?: Record<string, string>
  data?: string
  timeout?: number
  success?: (result: { statusCode: number; header: object; data: unknown }) => void
}

/** Wider than what is passed: WeChat's own typings call `signData` an object, and its pages say that it is a text. */
type VirtualOption = {
  mode: string
  signData: unknown
  paySig: string
  signature: string
  success?: (result: never) => void
  fail?: (failure: { errCode: number; errMsg: string }) => void
}

/** The part of WeChat's `wx` that the client uses. */
export type Wx = {
  request(option: RequestOption): unknown
  login(option: Failing & { success?: (result: { code: string }) => void }): unknown
  requestPayment(option: JsapiPaymentParams & Failing & { success?: () => void }): unknown
  requestVirtualPayment?(option: VirtualOption): unknown
  canIUse(what: string): boolean
  getStorageSync(key: string): unknown
  setStorageSync(key: string, value: string): void
  removeStorageSync(key: string): void
  getDeviceInfo(): { platform: string; system: string }
  getAppBaseInfo(): { version: string; SDKVersion: string }
}

const inSmallLetters = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))

const sheetAnswer = (errMsg: string): SheetAnswer => (errMsg.includes('cancel') ? 'cancelled' : 'unclear')

function platformOf(wx: Wx): Phone['platform'] {
  const { platform } = wx.getDeviceInfo()
  return platform === 'ios' || platform === 'android' ? platform : 'other'
}

/** A version as one number, part by part: 8.0.100 comes after 8.0.68. */
function rankOf(version: string): number {
  const parts = version.match(/\d+/g) || []
  return [0, 1, 2].reduce((rank, place) => rank * 10_000 + Number(parts[place] || 0), 0)
}
const isFrom = (version: string, least: string) => rankOf(version) >= rankOf(least)

/**
 * Whether this phone can do virtual payment: the base library has the call, and on an iPhone WeChat is 8.0.68 and iOS 15
 * at least (virtual payment §2.6).
 */
function canPayVirtually(wx: Wx): wx is Required<Wx> {
  if (!wx.requestVirtualPayment) return false
  const { platform, system } = wx.getDeviceInfo()
  const { version, SDKVersion } = wx.getAppBaseInfo()
  const has = wx.canIUse('requestVirtualPayment') || isFrom(SDKVersion, '2.19.2')
  return has && (platform !== 'ios' || (isFrom(version, '8.0.68') && isFrom(system, '15')))
}

/** Where WeChat gives no number, its words do; a used number is told in words alone on some iPhones (virtual payment §2.5). */
const errCodeOf = ({ errCode, errMsg }: { errCode: number; errMsg: string }): number =>
  errCode || (errMsg.includes('cancel') ? -2 : errMsg.includes('订单号重复') ? -15002 : -1)

/** The phone that the mini-program runs on. */
export function onWx(wx: Wx): Phone {
  return {
    platform: platformOf(wx),
    wait: waitOnClock,
    storage: {
      read: (key) => String(wx.getStorageSync(key) || '') || null,
      write: (key, value) => (value === null ? wx.removeStorageSync(key) : wx.setStorageSync(key, value)),
    },
    request: ({ method, url, headers, body, timeoutMs }) =>
      new Promise((resolve, reject) => {
        wx.request({
          method,
          url,
          header: headers,
          timeout: timeoutMs,
          ...(body !== null && { data: body }),
          success: ({ statusCode, header, data }) =>
            resolve({ status: statusCode, headers: inSmallLetters(header), body: data }),
          fail: ({ errMsg }) => reject(new Error(errMsg)),
        })
      }),
    loginCode: () =>
      new Promise((resolve, reject) => {
        wx.login({ success: ({ code }) => resolve(code), fail: ({ errMsg }) => reject(new Error(errMsg)) })
      }),
    requestPayment: (params) =>
      new Promise((resolve) => {
        wx.requestPayment({
          ...params,
          success: () => resolve('paid'),
          fail: ({ errMsg }) => resolve(sheetAnswer(errMsg)),
        })
      }),
    ...(canPayVirtually(wx) && {
      requestVirtualPayment: (params: VirtualPaymentParams) =>
        new Promise<number>((resolve) => {
          wx.requestVirtualPayment({
            ...params,
            success: () => resolve(0),
            fail: (failure) => resolve(errCodeOf(failure)),
          })
        }),
    }),
  }
}

type Answered = {
  status: number
  headers: { forEach: (visit: (value: string, name: string) => void) => void }
  text: () => Promise<string>
}
type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal },
) => Promise<Answered>

/** What a phone without `wx` has to bring: `fetch`, a login code and a payment sheet; the rest where it has it. */
export type FetchPhone = Pick<Phone, 'loginCode' | 'requestPayment'> &
  Partial<Pick<Phone, 'requestVirtualPayment' | 'storage' | 'wait' | 'platform'>> & { fetch: Fetch }

/** Keeps what it is given for as long as the program runs. */
function inMemory(): Phone['storage'] {
  const kept = new Map<string, string>()
  return {
    read: (key) => kept.get(key) || null,
    write: (key, value) => {
      if (value === null) kept.delete(key)
      else kept.set(key, value)
    },
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A phone that speaks by `fetch`: for tests, and for pages that play a phone. */
export function onFetch({ fetch, storage = inMemory(), ...phone }: FetchPhone): Phone {
  return {
    platform: 'other',
    wait: waitOnClock,
    storage,
    request: async ({ method, url, headers, body, timeoutMs }) => {
      const answer = await fetch(url, {
        method,
        headers,
        signal: AbortSignal.timeout(timeoutMs),
        ...(body !== null && { body }),
      })
      const answered: Record<string, string> = {}
      answer.headers.forEach((value, name) => {
        answered[name.toLowerCase()] = value
      })
      return { status: answer.status, headers: answered, body: parsed(await answer.text()) }
    },
    ...phone,
  }
}
