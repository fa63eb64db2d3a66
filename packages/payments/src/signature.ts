import { createVerify, type KeyObject, sign as signNow } from 'node:crypto'
import { promisify } from 'node:util'
import { strictBase64 } from './cipher.ts'
import { PaymentsError } from './payments-error.ts'

type RequestToSign = {
  method: string
  /** Path and query exactly as on the wire. */
  target: string
  timestamp: string
  nonce: string
  body: string
}

/** The five lines of a request, each ended by one LF, the last one too (protocol §1.3). */
export const requestMessage = ({ method, target, timestamp, nonce, body }: RequestToSign): string =>
  `${method}\n${target}\n${timestamp}\n${nonce}\n${body}\n`

type ParamsToSign = { appId: string; timeStamp: string; nonceStr: string; package: string }

/** The four lines behind `paySign`; the fourth is the whole `prepay_id=…` (protocol §3.3). */
export const paymentParamsMessage = (params: ParamsToSign): string =>
  `${params.appId}\n${params.timeStamp}\n${params.nonceStr}\n${params.package}\n`

const LF = Buffer.from('\n')

/**
 * The three lines of an answer or a notification in pieces: the head, the received bytes, which are neither copied
 * nor decoded, and the last LF (protocol §1.4).
 */
export const answerMessage = (timestamp: string, nonce: string, body: Uint8Array): readonly Uint8Array[] => [
  Buffer.from(`${timestamp}\n${nonce}\n`, 'latin1'),
  body,
  LF,
]

const signInThreadPool = promisify<string, Uint8Array, KeyObject, Buffer>(signNow)

/** RSASSA-PKCS1-v1_5 with SHA-256, base64 (protocol §1.3), made off the main thread. */
export async function sign(message: string, privateKey: KeyObject): Promise<string> {
  const signature = await signInThreadPool('RSA-SHA256', Buffer.from(message, 'utf8'), privateKey)
  return signature.toString('base64')
}

type SignatureHeaders = {
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

/** Finds the platform's key with exactly this id. */
export type KeyFor = (serial: string) => KeyObject | undefined

/** How far the platform's timestamp may be from our clock, in milliseconds (protocol §1.4). */
const FRESH_FOR_MS = 300_000
const PROBE_PREFIX = 'WECHATPAY/SIGNTEST/'
const SIGNATURE_TYPE = 'WECHATPAY2-SHA256-RSA2048'

/**
 * Checks an answer or a notification: fresh, known key, signature over the unaltered bytes (protocol §1.4).
 * Throws PaymentsError `stale`, `unknown_serial`, `probe` or `bad_signature`. A probe is refused like every wrong
 * signature and is only named differently (protocol §1.5).
 */
export function verifySigned(signed: SignatureHeaders, body: Uint8Array, trust: Trust): void {
  const age = trust.now.getTime() - Number(signed.timestamp) * 1000
  if (!(Math.abs(age) <= FRESH_FOR_MS)) throw new PaymentsError('stale')
  const key = trust.keyFor(signed.serial)
  if (key === undefined) throw new PaymentsError('unknown_serial')
  if (signed.type !== null && signed.type !== SIGNATURE_TYPE) {
    throw new PaymentsError('bad_signature', { about: 'unknown signature type' })
  }
  const message = answerMessage(signed.timestamp, signed.nonce, body)
  if (signatureHolds(message, signed.signature, key)) return
  throw new PaymentsError(signed.signature.startsWith(PROBE_PREFIX) ? 'probe' : 'bad_signature')
}

type Trust = { keyFor: KeyFor; now: Date }

/**
 * Whether a base64 signature holds over a message in pieces: false, never an exception, whatever the text is
 * (protocol §1.5).
 */
export function signatureHolds(pieces: readonly Uint8Array[], signature: string, key: KeyObject): boolean {
  const bytes = strictBase64(signature)
  if (bytes === null) return false
  try {
    const verifier = createVerify('RSA-SHA256')
    for (const piece of pieces) verifier.update(piece)
    return verifier.verify(key, bytes)
  } catch {
    return false
  }
}
