import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { PlatformKey } from '../payments.ts'
import type { KeyFor } from '../signature.ts'

export type HeldKey = PlatformKey & { key: KeyObject }

type KeyMaterial = { id: string; pem: string; source: PlatformKey['source'] }

/** The id of a public key, in contrast to a certificate's serial (protocol §2.1). */
export const PUBLIC_KEY_ID = /^PUB_KEY_ID_[0-9A-Za-z]+$/

/** Certificate serials are matched as upper-case hexadecimal, leading zeros kept (protocol §1.2). */
export const keyId = (id: string): string => (PUBLIC_KEY_ID.test(id) ? id : id.toUpperCase())

/**
 * Reads a platform certificate or public key. Throws an Error with our own words when the text is neither, is not
 * RSA of at least 2048 bits, or is a certificate with another serial than its id.
 */
export function readPlatformKey({ id: givenId, pem, source }: KeyMaterial): HeldKey {
  const id = keyId(givenId)
  const certificate = pem.includes('BEGIN CERTIFICATE') ? readCertificate(pem) : null
  const key = certificate === null ? readPublicKey(pem) : certificate.publicKey
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048) {
    throw new Error('not an RSA key of at least 2048 bits')
  }
  if (certificate === null) {
    return { id, kind: 'public_key', source, pem, effectiveAt: null, expiresAt: null, key }
  }
  if (PUBLIC_KEY_ID.test(id)) throw new Error('a PUB_KEY_ID_ names a public key, not a certificate')
  if (!sameSerial(certificate.serialNumber, id)) throw new Error('the certificate has another serial number')
  const effectiveAt = new Date(certificate.validFrom)
  // Who copies a serial may lose its leading zeros, and the platform names it with all of them.
  const serial = certificate.serialNumber.length > id.length ? certificate.serialNumber : id
  return {
    id: serial,
    kind: 'certificate',
    source,
    pem,
    effectiveAt,
    expiresAt: new Date(certificate.validTo),
    key,
  }
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch {
    throw new Error('not a readable certificate')
  }
}

function readPublicKey(pem: string): KeyObject {
  if (pem.includes('PRIVATE KEY')) throw new Error('a private key where a public one belongs')
  try {
    return createPublicKey(pem)
  } catch {
    throw new Error('not a readable certificate or public key')
  }
}

const withoutZeros = (serial: string): string => serial.toUpperCase().replace(/^0+/, '')

/** Whether two hexadecimal serial numbers are the same number. */
export const sameSerial = (one: string, other: string): boolean => withoutZeros(one) === withoutZeros(other)

export type PreferredKey = { id: string; key: KeyObject }

export type KeyRing = {
  keyFor: KeyFor
  /** The key to name in `Wechatpay-Serial` and to encrypt for; null while the ring is empty. */
  preferred: () => PreferredKey | null
  /** Adds keys and drops the certificates that have ended. */
  add: (keys: readonly HeldKey[]) => void
  held: () => readonly HeldKey[]
}

type RingParts = { merchantSerialNo: string; now: () => Date }

/** Whether a downloaded certificate is past its end (RFC 5280 §4.1.2.5: valid through its last second). */
export const hasEnded = ({ source, expiresAt }: HeldKey, now: Date): boolean =>
  source === 'download' && expiresAt !== null && expiresAt < now

/**
 * The platform's keys by exact serial (protocol §2): certificates and public keys side by side, so that a change from
 * one to the other needs no moment of truth. The merchant's own serial can never be in it. A downloaded certificate
 * counts until its end by the clock, however long ago it was downloaded; what the settings gave stays.
 */
export function keyRing(initial: readonly HeldKey[], { merchantSerialNo, now }: RingParts): KeyRing {
  const keys = new Map<string, HeldKey>()
  const held = () => [...keys.values()].filter((key) => !hasEnded(key, now()))
  const add = (added: readonly HeldKey[]) => {
    for (const key of keys.values()) if (hasEnded(key, now())) keys.delete(key.id)
    for (const key of added) {
      if (sameSerial(key.id, merchantSerialNo))
        throw new Error('the merchant certificate is not a platform key')
      // What an operator configured outranks what was downloaded under the same serial.
      if (keys.get(key.id)?.source !== 'settings') keys.set(key.id, key)
    }
  }
  add(initial)
  return {
    keyFor: (serial) => {
      const key = keys.get(serial)
      return key === undefined || hasEnded(key, now()) ? undefined : key.key
    },
    preferred: () => preferredOf(held()),
    add,
    held,
  }
}

/** The public key where there is one, since naming it is what moves answers over to it; else what is valid longest. */
function preferredOf(keys: readonly HeldKey[]): PreferredKey | null {
  const publicKey = keys.find(({ id }) => PUBLIC_KEY_ID.test(id))
  if (publicKey) return publicKey
  const [longest] = [...keys].sort((a, b) => (b.expiresAt?.getTime() ?? 0) - (a.expiresAt?.getTime() ?? 0))
  return longest ?? null
}
