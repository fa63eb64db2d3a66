import { constants, createDecipheriv, createSecretKey, type KeyObject, publicEncrypt } from 'node:crypto'

export const RESOURCE_ALGORITHM = 'AEAD_AES_256_GCM'
const TAG_BYTES = 16

export type EncryptedResource = { ciphertext: string; nonce: string; associatedData: string }

/** An API v3 key as a key object, made once (protocol §2.5). */
export const apiV3KeyObject = (key: string): KeyObject => createSecretKey(Buffer.from(key, 'utf8'))

/**
 * Decrypts a notification's resource or a platform certificate: AES-256-GCM, nonce and associated data as UTF-8
 * bytes, tag in the last 16 bytes (protocol §2.2, §5.1). Tries the keys in turn, since two are valid while one is
 * being replaced. Returns null when none opens it.
 */
export function decryptResource(resource: EncryptedResource, keys: readonly KeyObject[]): Buffer | null {
  const sealed = strictBase64(resource.ciphertext)
  if (sealed === null || sealed.length < TAG_BYTES) return null
  for (const key of keys) {
    const opened = open(sealed, resource, key)
    if (opened !== null) return opened
  }
  return null
}

function open(sealed: Buffer, { nonce, associatedData }: EncryptedResource, key: KeyObject): Buffer | null {
  const split = sealed.length - TAG_BYTES
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    decipher.setAuthTag(sealed.subarray(split))
    if (associatedData !== '') decipher.setAAD(Buffer.from(associatedData, 'utf8'))
    const plain = decipher.update(sealed.subarray(0, split))
    // GCM is a stream: all has come out already, the end only checks the tag.
    decipher.final()
    return plain
  } catch {
    return null
  }
}

/**
 * Decodes base64 and refuses every text that is not exactly what encoding the result would give: Node's own decoder
 * skips foreign characters, takes the URL alphabet, ignores trailing bits and looks at the low byte only of characters
 * beyond Latin-1, so that several texts would pass as one.
 */
export function strictBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : null
}

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
