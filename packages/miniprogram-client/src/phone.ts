import type { JsapiPaymentParams, VirtualPaymentParams } from './answers.ts'
import type { Check } from './check.ts'

/** One HTTP request of the client. */
export type PhoneRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  /** JSON as text. */
  body: string | null
  timeoutMs: number
}

/** Any HTTP answer, whatever its status. */
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
  requestPayment: (params: JsapiPaymentParams) => Promise<SheetAnswer>
  /** Opens the sheet of virtual payment: its errCode, 0 where there is none. Only on a phone that can do it. */
  requestVirtualPayment?: (params: VirtualPaymentParams) => Promise<number>
  /** Survives a restart of the mini-program. */
  storage: { read: (key: string) => string | null; write: (key: string, value: string | null) => void }
  wait: (ms: number) => Promise<void>
  /** For the sale policy; `other` when it is not known. */
  platform: 'ios' | 'android' | 'other'
}

export const waitOnClock = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

type Kept = Pick<Phone, 'storage'>

/** The text that is stored under a key; null where the phone cannot read it. */
export function readText({ storage }: Kept, key: string): string | null {
  try {
    return storage.read(key)
  } catch {
    return null
  }
}

/**
 * What is stored under a key, where it is what it should be. Something half-written, broken or of another version of
 * the mini-program counts as nothing: nobody is locked out by what their phone kept.
 */
export function readStored<Value>(phone: Kept, key: string, is: Check<Value>): Value | null {
  try {
    const value: unknown = JSON.parse(readText(phone, key) || 'null')
    return is(value) ? value : null
  } catch {
    return null
  }
}
