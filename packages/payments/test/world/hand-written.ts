import { createPrivateKey } from 'node:crypto'
import { createPayments, PaymentsError, type Runtime, systemRuntime } from '../../src/index.ts'
import { createPlatform, generatePlatformKeys, type MerchantSettings } from '../../src/testing/index.ts'
import { type SigningFaults, type SigningKey, signatureHeaders } from '../../src/testing/sign-and-seal.ts'
import { failureOf } from './failure-of.ts'

const keys = generatePlatformKeys()
const platform = createPlatform({ keys, keyMode: 'public_key' })

export const settings = platform.settings('http://127.0.0.1:1')
export const publicKey: SigningKey = {
  serial: keys.publicKey.id,
  privateKey: createPrivateKey(keys.publicKey.privateKey),
}
export const keysOfPlatform = keys

/** One answer: its content as JSON, or null for no body; or what the network does instead. */
export type Written =
  | {
      status?: number
      content?: unknown
      key?: SigningKey
      faults?: SigningFaults
      headers?: Record<string, string>
    }
  | Error

export type Asked = {
  method: string
  url: string
  host: string
  headers: Record<string, string>
  body: unknown
  redirect: RequestInit['redirect']
}

type Wishes = { settings?: Partial<MerchantSettings>; now?: () => Date }

/** A client whose platform gives these answers one after the other, the last one again and again, all of them signed. */
export function clientOf(
  written: readonly Written[],
  { settings: changes, now = () => new Date() }: Wishes = {},
) {
  const asked: Asked[] = []
  const answer = (): Response => {
    const one = written[Math.min(asked.length, written.length) - 1]
    if (one === undefined) throw new Error('no answer was written')
    if (one instanceof Error) throw one
    const { content = {}, key = publicKey, faults, headers = {} } = one
    const body = content === null ? '' : JSON.stringify(content)
    const status = one.status ?? (content === null ? 204 : 200)
    const signed = signatureHeaders({ body: Buffer.from(body), key, now: now(), ...(faults && { faults }) })
    return new Response(status === 204 ? null : body, { status, headers: { ...signed, ...headers } })
  }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    const text =
      init?.body === undefined || init.body === null ? null : Buffer.from(init.body as Uint8Array).toString()
    asked.push({
      method: init?.method ?? 'GET',
      url: url.pathname + url.search,
      host: url.host,
      headers: { ...(init?.headers as Record<string, string>) },
      body: text === null ? null : JSON.parse(text),
      redirect: init?.redirect,
    })
    return answer()
  }
  const runtime: Runtime = { ...systemRuntime, fetch, now }
  return { payments: createPayments({ ...settings, ...changes }, runtime), asked, runtime }
}

/** How a call failed; throws where it did not. */
export const failed = (call: Promise<unknown>): Promise<PaymentsError> => failureOf(PaymentsError, call)
