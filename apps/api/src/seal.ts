import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const version = 1
const [ivBytes, tagBytes] = [12, 16]

/** One key per purpose, derived from the text of DATA_KEY (HKDF-SHA-256, RFC 5869). */
const keyFor = (dataKey: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', dataKey, '', `meridian ${purpose}`, 32))

/**
 * Encrypts a small secret for the database (AES-256-GCM): version, nonce, tag, ciphertext. `about` names whose secret
 * it is, such as `device:ABC-1`, and is authenticated: a sealed value moved to another row does not open.
 */
export function seal(dataKey: string, about: string, plain: Uint8Array): Buffer<ArrayBuffer> {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFor(dataKey, 'seal'), iv).setAAD(Buffer.from(about))
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), text])
}

/**
 * What was sealed under the same key and name.
 * @throws Error for another key, another name, or bytes that were changed
 */
export function unseal(dataKey: string, about: string, sealed: Uint8Array): Buffer<ArrayBuffer> {
  const textAt = 1 + ivBytes + tagBytes
  if (sealed[0] !== version || sealed.length < textAt) throw new Error(`${about} is not sealed as expected`)
  const iv = sealed.subarray(1, 1 + ivBytes)
  const decipher = createDecipheriv('aes-256-gcm', keyFor(dataKey, 'seal'), iv, { authTagLength: tagBytes })
    .setAAD(Buffer.from(about))
    .setAuthTag(sealed.subarray(1 + ivBytes, textAt))
  return Buffer.concat([decipher.update(sealed.subarray(textAt)), decipher.final()])
}

/** By what an identity that was erased is still recognised, and nobody without DATA_KEY can work out (HMAC-SHA-256). */
export const macOf = (dataKey: string, identity: string): string =>
  createHmac('sha256', keyFor(dataKey, 'mac')).update(identity).digest('base64url')
