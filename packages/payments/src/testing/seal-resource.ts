import { createCipheriv, randomBytes } from 'node:crypto'

export type Sealed = { algorithm: string; nonce: string; associated_data: string; ciphertext: string }

/** Encrypts as the platform does (protocol §2.2, §5.1): AES-256-GCM, twelve characters of nonce, tag at the end. */
export function sealResource(
  plain: string,
  { apiV3Key, associatedData }: { apiV3Key: string; associatedData: string },
): Sealed {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(apiV3Key, 'utf8'), Buffer.from(nonce, 'utf8'))
  cipher.setAAD(Buffer.from(associatedData, 'utf8'))
  const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return {
    algorithm: 'AEAD_AES_256_GCM',
    nonce,
    associated_data: associatedData,
    ciphertext: ciphertext.toString('base64'),
  }
}
