import { constants, type KeyObject, publicEncrypt } from 'node:crypto'

/** The longest text that a 2048-bit key can take under OAEP with SHA-1 (protocol §2.4). */
export const LONGEST_FIELD_BYTES = 214

/**
 * Encrypts a sensitive field for the platform: RSA-OAEP with SHA-1 and MGF1-SHA-1, base64 (protocol §2.4).
 * Throws a RangeError over 214 bytes.
 */
export function encryptField(text: string, platformKey: KeyObject): string {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length > LONGEST_FIELD_BYTES) throw new RangeError('field over 214 bytes')
  return publicEncrypt(
    { key: platformKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
    bytes,
  ).toString('base64')
}
