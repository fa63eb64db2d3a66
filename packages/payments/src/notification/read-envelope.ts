import { type EncryptedResource, RESOURCE_ALGORITHM } from '../cipher/decrypt-resource.ts'
import { PaymentsError } from '../payments-error.ts'
import { idOf, isFields, parseJson, textOf, timeOf } from '../read-fields.ts'

export type Envelope = {
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
export function readEnvelope(body: Uint8Array): Envelope {
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
export function originIn(body: Uint8Array): { id: string | null; eventType: string | null } {
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
