import { type Secrets, unseal } from '../platform/crypto/seal.ts'
import type { Post } from '../platform/network/post-message.ts'
import type { Claimed } from './claim-deliveries.ts'
import { aboutSecret } from './sealed-webhook-secrets.ts'
import { webhookHeaders } from './sign-webhook.ts'

/** Success is 2xx within that (SPEC §17). */
export const timeoutMs = 15_000
/** So much of an answer is kept. */
export const keptBytes = 4_096
const longestError = 200

/** How a try went. */
export type Outcome = {
  headers: Record<string, string>
  status: number | null
  answer: string | null
  error: string | null
}

/** What PostgreSQL can keep of an answer: no NUL, and no more bytes than are kept once broken characters are replaced. */
export function storable(text: string, bytes = keptBytes): string {
  const clean = text.replaceAll(/[\0\p{Surrogate}]/gu, '\u{fffd}')
  let end = Math.min(clean.length, bytes)
  while (Buffer.byteLength(clean.slice(0, end)) > bytes) end -= 1
  return clean.slice(0, end).replace(/\p{Surrogate}$/u, '')
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `no answer within ${timeoutMs / 1000} seconds`
  return error.message || ('code' in error ? String(error.code) : error.name)
}

export type Sending = { post: Post; dataKeys: Secrets }

/** Sends one delivery once, signed for the moment; whatever goes wrong is an answer, never an error. */
export async function tryDelivery({ post, dataKeys }: Sending, claimed: Claimed): Promise<Outcome> {
  const { endpointId, url, webhookId: id, body, sealedSecret, sealedPreviousSecret } = claimed
  const open = (sealed: Uint8Array) => unseal(dataKeys, aboutSecret(endpointId), sealed).toString('utf8')
  let headers: Record<string, string> = {}
  try {
    const secrets = [open(sealedSecret), ...(sealedPreviousSecret ? [open(sealedPreviousSecret)] : [])]
    // Receivers stand outside: signatures are of the machine's time, also where a sandbox has moved its clock.
    headers = webhookHeaders({ id, at: new Date(), body, secrets })
    const { status, body: answer } = await post({ url, method: 'POST', body, headers })
    return { headers, status, answer: storable(answer), error: null }
  } catch (error) {
    return { headers, status: null, answer: null, error: storable(wordsOf(error), longestError) }
  }
}
