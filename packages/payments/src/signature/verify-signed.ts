import { createVerify, type KeyObject } from 'node:crypto'
import { strictBase64 } from '../cipher/strict-base64.ts'
import { PaymentsError } from '../payments-error.ts'
import { answerMessage } from './messages.ts'
import type { SignatureHeaders } from './signature-headers.ts'

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

export type Trust = { keyFor: KeyFor; now: Date }

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
