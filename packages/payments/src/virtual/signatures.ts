import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** What the client's call is signed under: without `/xpay/`, without a slash (virtual payment §2.3). */
export const CLIENT_CALL = 'requestVirtualPayment'

/**
 * `paySig` of a client call and `pay_sig` of a server call: HMAC-SHA256 with the AppKey over `uri&text`, lower-case
 * hex (virtual payment §2.3, §3.1). `uri` is CLIENT_CALL or `/xpay/<name>` without query; `text` is what is sent,
 * byte for byte.
 */
export const paySigOf = (appKey: string, uri: string, text: string): string => hmac(appKey, `${uri}&${text}`)

/** The user's signature: the session key is taken as text and not decoded (virtual payment §2.3). */
export const userSignatureOf = (sessionKey: string, text: string): string => hmac(sessionKey, text)

/**
 * The signature of a push: SHA-1 over its parts in the order of their characters, lower-case hex. Three parts (token,
 * timestamp, nonce) where the address is verified; four, with the sealed text, in safe mode (virtual payment §4.1).
 */
export const pushSignatureOf = (parts: readonly string[]): string =>
  createHash('sha1').update(parts.toSorted(byCharacter).join('')).digest('hex')

/** Whether two signatures are the same, in a time that tells nothing of how far they agree. */
export function sameSignature(ours: string, theirs: string): boolean {
  const [expected, given] = [Buffer.from(ours), Buffer.from(theirs)]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex')

const byCharacter = (one: string, other: string): number => (one < other ? -1 : Number(one > other))
