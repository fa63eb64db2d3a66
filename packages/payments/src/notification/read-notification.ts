import type { KeyObject } from 'node:crypto'
import { decryptResource } from '../cipher/decrypt-resource.ts'
import { readPlatformKey } from '../key-ring/read-platform-key.ts'
import { PaymentsError } from '../payments-error.ts'
import { isFields, parseJson } from '../read-fields.ts'
import { type HeaderLookup, readSignatureHeaders } from '../signature/signature-headers.ts'
import { type KeyFor, verifySigned } from '../signature/verify-signed.ts'
import { type Envelope, originIn, readEnvelope } from './read-envelope.ts'
import { readRefund } from './read-refund.ts'
import { readTransaction } from './read-transaction.ts'
import type {
  HeaderBag,
  ReceivedNotification,
  Reread,
  VerifiedNotification,
} from './verified-notification.ts'

/** Looks headers up whatever the case of their names; one that is given twice counts as absent. */
export const headerLookup =
  (headers: HeaderBag): HeaderLookup =>
  (name) => {
    const direct = Object.hasOwn(headers, name) ? headers[name] : undefined
    return single(direct === undefined ? inAnyCase(headers, name) : direct)
  }

function inAnyCase(headers: HeaderBag, name: string): HeaderBag[string] {
  const matching = Object.keys(headers).filter(
    (key) => key.toLowerCase() === name && headers[key] !== undefined,
  )
  const [only] = matching
  return matching.length === 1 && only !== undefined ? headers[only] : undefined
}

function single(value: HeaderBag[string]): string | undefined {
  if (typeof value === 'string' || value === undefined) return value
  return value.length === 1 ? value[0] : undefined
}

export type ReaderSecrets = { keyFor: KeyFor; apiV3Keys: readonly KeyObject[] }

/**
 * Reads notifications (protocol §5.2): headers, freshness, key by serial, signature over the received bytes,
 * envelope, algorithm, decryption, content, in this order, and nothing is parsed before it is verified. There is no
 * way to read one without verifying it. Throws nothing but PaymentsError.
 */
export const notificationReader =
  (secrets: ReaderSecrets, now: () => Date) =>
  (received: ReceivedNotification): VerifiedNotification =>
    readAt(secrets, received, now())

/**
 * Reads what was kept of a notification once more: everything is verified as on the day it came, with freshness
 * judged by that moment. A key that has left the ring since then is taken from `olderKeys`, where it was valid then.
 * Throws PaymentsError like the first reading.
 */
export const notificationRereader =
  ({ keyFor, apiV3Keys }: ReaderSecrets) =>
  (received: ReceivedNotification, { receivedAt, olderKeys = [] }: Reread): VerifiedNotification => {
    const older = olderKeys.map(({ id, pem }) => readPlatformKey({ id, pem, source: 'download' }))
    const validThen = older.filter(
      ({ effectiveAt, expiresAt }) =>
        (effectiveAt === null || effectiveAt <= receivedAt) &&
        (expiresAt === null || expiresAt >= receivedAt),
    )
    const keyOf: KeyFor = (serial) => keyFor(serial) ?? validThen.find(({ id }) => id === serial)?.key
    return readAt({ keyFor: keyOf, apiV3Keys }, received, receivedAt)
  }

function readAt(
  { keyFor, apiV3Keys }: ReaderSecrets,
  { headers, body }: ReceivedNotification,
  now: Date,
): VerifiedNotification {
  const signed = readSignatureHeaders(headerLookup(headers))
  verifySigned(signed, body, { keyFor, now })
  try {
    const envelope = readEnvelope(body)
    const plain = decryptResource(envelope.resource, apiV3Keys)
    if (plain === null) throw new PaymentsError('undecryptable')
    return toNotification(envelope, parseJson(plain), signed.serial)
  } catch (error) {
    throw asSigned(error, body, signed.serial)
  }
}

/** The same failure, saying that the platform itself sent what cannot be read. */
function asSigned(error: unknown, body: Uint8Array, serial: string): unknown {
  if (!(error instanceof PaymentsError)) return error
  const { reason, about } = error
  const signed = { ...originIn(body), serial }
  return new PaymentsError(reason, { ...(about !== null && { about }), cause: error, signed })
}

function toNotification(envelope: Envelope, payload: unknown, serial: string): VerifiedNotification {
  if (payload === undefined) throw new PaymentsError('malformed_payload', { about: 'not JSON' })
  const { id, eventType, createdAt, summary } = envelope
  const common = { id, eventType, createdAt, summary, serial, payload }
  // Assigned and not spread: a copy of the whole would cost as much as the decryption.
  if (eventType === 'TRANSACTION.SUCCESS') {
    return Object.assign(common, { kind: 'payment' as const, payment: paymentOf(payload) })
  }
  if (Object.hasOwn(refundEvents, eventType)) {
    return Object.assign(common, { kind: 'refund' as const, refund: refundOf(payload, eventType) })
  }
  return Object.assign(common, { kind: 'unknown' as const })
}

function paymentOf(payload: unknown) {
  const { trade_state } = isFields(payload) ? payload : {}
  if (trade_state !== 'SUCCESS') {
    throw new PaymentsError('malformed_payload', { about: 'a payment that did not succeed' })
  }
  const payment = readTransaction(payload, 'notification')
  if (payment === null) throw new PaymentsError('malformed_payload', { about: 'not a transaction' })
  return payment
}

const refundEvents: Readonly<Record<string, string>> = {
  'REFUND.SUCCESS': 'succeeded',
  'REFUND.ABNORMAL': 'abnormal',
  'REFUND.CLOSED': 'closed',
}

function refundOf(payload: unknown, eventType: string) {
  const refund = readRefund(payload, 'notification')
  if (refund === null || refund.status !== refundEvents[eventType]) {
    throw new PaymentsError('malformed_payload', { about: 'not a refund, or not the one announced' })
  }
  return refund
}
