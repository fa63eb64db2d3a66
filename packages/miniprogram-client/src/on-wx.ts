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
