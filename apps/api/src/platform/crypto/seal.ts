import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** A secret setting that is being rotated: newest first. The first is used to write, any of them to read. */
export type Secrets = readonly [string, ...string[]]

/** Sealed before keys could be rotated: no fingerprint. */
const withoutFingerprint = 1
export const sealVersion = 2
const [fingerprintBytes, ivBytes, tagBytes] = [4, 12, 16]

/** One key per purpose, derived from the text of DATA_KEY (HKDF-SHA-256, RFC 5869). */
export const deriveKey = (dataKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', dataKey, '', `meridian ${purpose}`, 32))

/** By what a sealed value names its key: four bytes that tell nothing about the key itself. */
export const fingerprintOf = (dataKey: string): Buffer =>
  deriveKey(dataKey, 'fingerprint').subarray(0, fingerprintBytes)

/**
 * Encrypts a small secret for the database (AES-256-GCM) under the newest key: version, fingerprint of the key, nonce,
 * tag, ciphertext. `about` names whose secret it is, such as `device:ABC-1`, and is authenticated: a sealed value moved
 * to another row does not open.
 */
export function seal([newest]: Secrets, about: string, plain: Uint8Array): Buffer<ArrayBuffer> {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(newest, 'seal'), iv).setAAD(Buffer.from(about))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.of(sealVersion), fingerprintOf(newest), iv, cipher.getAuthTag(), text])
}

/** Whether a value is sealed under the newest key, in today's form. */
export const isNewest = ([newest]: Secrets, sealed: Uint8Array): boolean =>
  sealed[0] === sealVersion && fingerprintOf(newest).equals(sealed.subarray(1, 1 + fingerprintBytes))

/** No key of the list opens this value: another key, another name, or bytes that were changed. */
export class UnsealError extends Error {
  constructor(about: string) {
    super(`${about} does not open with any key of DATA_KEY`)
    this.name = 'UnsealError'
  }
}

type Sealed = { about: string; sealed: Uint8Array; start: number }

function open(dataKey: string, { about, sealed, start }: Sealed): Buffer<ArrayBuffer> | null {
  const textAt = start + ivBytes + tagBytes
  const iv = sealed.subarray(start, start + ivBytes)
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(dataKey, 'seal'), iv, {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(about))
    .setAuthTag(sealed.subarray(start + ivBytes, textAt))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()])
  } catch {
    return null
  }
}

/**
 * What was sealed under one of these keys and the same name.
 * @throws UnsealError
 */
export function unseal(keys: Secrets, about: string, sealed: Uint8Array): Buffer<ArrayBuffer> {
  const start = sealed[0] === withoutFingerprint ? 1 : 1 + fingerprintBytes
  const known = sealed[0] === withoutFingerprint || sealed[0] === sealVersion
  if (!known || sealed.length < start + ivBytes + tagBytes) throw new UnsealError(about)
  const named = Buffer.from(sealed.subarray(1, start))
  for (const key of keys) {
    if (sealed[0] === sealVersion && !fingerprintOf(key).equals(named)) continue
    const plain = open(key, { about, sealed, start })
    if (plain) return plain
  }
  throw new UnsealError(about)
}

/** The keyed mark of an identity (HMAC-SHA-256): recognised again, and worked out by nobody without the key. */
export const macOf = (key: Uint8Array, identity: string): string =>
  createHmac('sha256', key).update(identity).digest('base64url')
