import { createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import { strictBase64 } from './strict-base64.ts'

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
