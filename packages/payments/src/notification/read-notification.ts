import type { KeyObject } from 'node:crypto'
import { decryptResource, type EncryptedResource, RESOURCE_ALGORITHM } from '../cipher.ts'
import { readPlatformKey } from '../key-ring/key-ring.ts'
import type { HeaderBag, ReceivedNotification, Reread, VerifiedNotification } from '../payments.ts'
import { PaymentsError } from '../payments-error.ts'
import { idOf, isFields, parseJson, textOf, timeOf } from '../read-fields.ts'
import { type HeaderLookup, type KeyFor, readSignatureHeaders, verifySigned } from '../signature.ts'
import { readRefund, readTransaction } from './read-confirmed.ts'

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

type ReaderSecrets = { keyFor: KeyFor; apiV3Keys: readonly KeyObject[] }

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

type Envelope = {
  id: string
  eventType: string
  createdAt: Date
  summary: string
  resource: EncryptedResource
}

/**
 * Reads the outer JSON of a notification (protocol §5.1). Throws PaymentsError `malformed_envelope` or
 * `unsupported_algorithm`. Call only after the signature held.
 */
function readEnvelope(body: Uint8Array): Envelope {
  const envelope = parseJson(body)
  if (!isFields(envelope)) throw new PaymentsError('malformed_envelope', { about: 'not a JSON object' })
  const { id, event_type, create_time, summary, resource } = envelope
  const createdAt = timeOf(create_time)
  const notificationId = idOf(id)
  const eventType = idOf(event_type)
  if (!notificationId || !eventType || !createdAt) throw new PaymentsError('malformed_envelope')
  return {
    id: notificationId,
    eventType,
    createdAt,
    summary: textOf(summary) ?? '',
    resource: readResource(resource),
  }
}

/** What a body that cannot be read says of itself all the same. Call only after the signature held. */
function originIn(body: Uint8Array): { id: string | null; eventType: string | null } {
  const envelope = parseJson(body)
  const { id, event_type } = isFields(envelope) ? envelope : {}
  return { id: idOf(id), eventType: idOf(event_type) }
}

function readResource(resource: unknown): EncryptedResource {
  if (!isFields(resource)) throw new PaymentsError('malformed_envelope', { about: 'no resource' })
  const { algorithm, ciphertext, nonce, associated_data: associatedData } = resource
  if (typeof algorithm !== 'string') throw new PaymentsError('malformed_envelope', { about: 'no algorithm' })
  if (algorithm !== RESOURCE_ALGORITHM) throw new PaymentsError('unsupported_algorithm')
  if (typeof ciphertext !== 'string' || typeof nonce !== 'string')
    throw new PaymentsError('malformed_envelope')
  if (associatedData === undefined || associatedData === null)
    return { ciphertext, nonce, associatedData: '' }
  if (typeof associatedData !== 'string') throw new PaymentsError('malformed_envelope')
  return { ciphertext, nonce, associatedData }
}
