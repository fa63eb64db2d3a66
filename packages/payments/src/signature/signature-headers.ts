import { PaymentsError } from '../payments-error.ts'

export type SignatureHeaders = {
  timestamp: string
  nonce: string
  signature: string
  serial: string
  /** Null when absent, which means the RSA default. */
  type: string | null
}

/** Looks a header up by its lower-case name; undefined when it is absent or given more than once. */
export type HeaderLookup = (name: string) => string | undefined

const TIMESTAMP = /^[0-9]{1,12}$/
// A line break inside the nonce would let one signature cover two readings of nonce and body.
const NONCE = /^[\x20-\x7e]{1,128}$/

/**
 * Takes the four signature headers (protocol §1.4). Throws PaymentsError `headers_missing` when one is absent,
 * repeated, empty, or cannot be what the platform sends.
 */
export function readSignatureHeaders(header: HeaderLookup): SignatureHeaders {
  const timestamp = header('wechatpay-timestamp')
  const nonce = header('wechatpay-nonce')
  const signature = header('wechatpay-signature')
  const serial = header('wechatpay-serial')
  if (!timestamp || !nonce || !signature || !serial) throw new PaymentsError('headers_missing')
  if (!TIMESTAMP.test(timestamp) || !NONCE.test(nonce)) {
    throw new PaymentsError('headers_missing', { about: 'timestamp or nonce is malformed' })
  }
  return { timestamp, nonce, signature, serial, type: header('wechatpay-signature-type') ?? null }
}
