import type { PaymentParams } from './answers.ts'

export type PhoneRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  /** JSON as text. */
  body: string | null
  timeoutMs: number
}

export type PhoneAnswer = {
  status: number
  /** Names in small letters. */
  headers: Record<string, string>
  /** Parsed where it was JSON. */
  body: unknown
}

/** What the payment sheet said when it closed; only the API knows whether money moved. */
export type SheetAnswer = 'paid' | 'cancelled' | 'unclear'

/** What the client needs of the phone it runs on: WeChat's, or any that speaks HTTP. */
export type Phone = {
  /** Rejects when no answer came. */
  request: (request: PhoneRequest) => Promise<PhoneAnswer>
  /** The code of `wx.login`. */
  loginCode: () => Promise<string>
  requestPayment: (params: PaymentParams) => Promise<SheetAnswer>
  /** Survives a restart of the mini-program. */
  storage: { read: (key: string) => string | null; write: (key: string, value: string | null) => void }
  wait: (ms: number) => Promise<void>
  /** For the sale policy; `other` when it is not known. */
  platform: 'ios' | 'android' | 'other'
}

export const waitOnClock = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
