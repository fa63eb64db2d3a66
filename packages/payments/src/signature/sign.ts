import { type KeyObject, sign as signNow } from 'node:crypto'
import { promisify } from 'node:util'

const signInThreadPool = promisify<string, Uint8Array, KeyObject, Buffer>(signNow)

/** RSASSA-PKCS1-v1_5 with SHA-256, base64 (protocol §1.3), made off the main thread. */
export async function sign(message: string, privateKey: KeyObject): Promise<string> {
  const signature = await signInThreadPool('RSA-SHA256', Buffer.from(message, 'utf8'), privateKey)
  return signature.toString('base64')
}
