import type { PaymentParams } from './answers.ts'
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

/** The part of WeChat's `wx` that the client uses. */
export type Wx = {
  request(option: RequestOption): unknown
  login(option: Failing & { success?: (result: { code: string }) => void }): unknown
  requestPayment(option: PaymentParams & Failing & { success?: () => void }): unknown
  getStorageSync(key: string): unknown
  setStorageSync(key: string, value: string): void
  removeStorageSync(key: string): void
  getDeviceInfo(): { platform: string }
}

const inSmallLetters = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))

const sheetAnswer = (errMsg: string): SheetAnswer => (errMsg.includes('cancel') ? 'cancelled' : 'unclear')

function platformOf(wx: Wx): Phone['platform'] {
  const { platform } = wx.getDeviceInfo()
  return platform === 'ios' || platform === 'android' ? platform : 'other'
}

/** The phone that the mini-program runs on. */
export function onWx(wx: Wx): Phone {
  return {
    platform: platformOf(wx),
    wait: waitOnClock,
    storage: {
      read: (key) => String(wx.getStorageSync(key) ?? '') || null,
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

export type FetchPhone = Pick<Phone, 'loginCode' | 'requestPayment'> &
  Partial<Pick<Phone, 'storage' | 'wait' | 'platform'>> & { fetch: Fetch }

/** Keeps what it is given for as long as the program runs. */
function inMemory(): Phone['storage'] {
  const kept = new Map<string, string>()
  return {
    read: (key) => kept.get(key) ?? null,
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
