import { setTimeout as wait } from 'node:timers/promises'
import { type Endpoint, refuseUnsendable } from './endpoints/endpoint.ts'
import { PaymentsError } from './payments-error.ts'
import { parseJson } from './read-fields.ts'
import { observed } from './runtime.ts'
import { type RawAnswer, refusal, type Sender, sendOnce } from './send-once.ts'
import { type KeyFor, readSignatureHeaders, verifySigned } from './signature.ts'

/**
 * Does the work under a signal that aborts after `ms` milliseconds, with a TimeoutError, or when the caller's own
 * signal does. The clock is held by this call: a composite of AbortSignal.any and AbortSignal.timeout may be collected
 * as garbage before it strikes, and what waits on it then waits for ever.
 */
export async function inTime<T>(
  { ms, signal }: { ms: number; signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException('no answer in time', 'TimeoutError')), ms)
  const giveUp = () => controller.abort(signal?.reason)
  if (signal?.aborted) giveUp()
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}

/** Official host and the stand-by that the platform names for it (protocol §8.5). */
export const OFFICIAL_HOST = 'api.mch.weixin.qq.com'
export const BACKUP_HOST = 'api2.mch.weixin.qq.com'

const BUDGET_MS = 5_000
/** The part of the budget that the first attempt may use, so that a second one is left. */
const FIRST_SHARE = 0.6
const PAUSE_MS = 100

export type Answer<Content> = { content: Content; requestId: string | null }
export type Call = <Content>(endpoint: Endpoint<Content>, signal?: AbortSignal) => Promise<Answer<Content>>

/** Judges a 2xx answer; throws PaymentsError where it does not hold. */
export type Judge = (answer: RawAnswer) => Promise<void>

export type Pipe = { sender: Sender; judge: Judge; sawAnswer: (answer: RawAnswer) => void }

/**
 * One pipe for every call: sign, send, refuse, verify, parse (protocol §1, §8.4). One time budget covers at most two
 * attempts. Every call is keyed by a number of ours, so that a repeat of the same bytes is safe.
 */
export const caller =
  (pipe: Pipe): Call =>
  async (endpoint, signal) => {
    if (endpoint.body) refuseUnsendable(endpoint.body)
    const call = { platform: 'payment', endpoint: endpoint.name } as const
    return observed(pipe.sender.runtime, call, async () => {
      const raw = await attemptTwice(pipe, endpoint, signal)
      return { content: parsed(raw, endpoint), requestId: raw.requestId }
    })
  }

async function attemptTwice(
  pipe: Pipe,
  endpoint: Endpoint<unknown>,
  signal?: AbortSignal,
): Promise<RawAnswer> {
  const { baseUrl } = pipe.sender.credentials
  const budgetMs = endpoint.budgetMs ?? BUDGET_MS
  const started = performance.now()
  const attemptAt = (host: URL, ms: number) => {
    const url = new URL(endpoint.path, host)
    return inTime({ ms, signal }, (soon) => attempt(pipe, endpoint, { url, signal: soon }))
  }
  try {
    return await attemptAt(baseUrl, budgetMs * FIRST_SHARE)
  } catch (error) {
    const left = Math.floor(budgetMs - (performance.now() - started))
    if (!isRepeatable(error) || signal?.aborted || left <= PAUSE_MS) throw error
    const host = hostAfter(error, baseUrl)
    if (host === baseUrl) await wait(PAUSE_MS)
    return await attemptAt(host, left - PAUSE_MS)
  }
}

async function attempt(pipe: Pipe, endpoint: Endpoint<unknown>, how: { url: URL; signal: AbortSignal }) {
  const bodyText = endpoint.body ? JSON.stringify(endpoint.body) : ''
  const raw = await sendOnce(pipe.sender, { ...endpoint, bodyText }, how)
  pipe.sawAnswer(raw)
  if (raw.status > 299) throw refusal(raw)
  await pipe.judge(raw)
  return raw
}

/**
 * Whether the same bytes may be sent once more within this call (protocol §8.4): after no answer in time, no connection,
 * a probe, or a failure of the platform (5xx). Not after 429, which asks for a longer pause, nor after other refusals.
 */
function isRepeatable(error: unknown): boolean {
  if (!(error instanceof PaymentsError)) return false
  const { reason, status, advice } = error
  if (reason === 'timeout') return true
  return advice === 'retry' && (reason !== 'refused' || (status ?? 0) >= 500)
}

/**
 * Only the official host has a stand-by, and only for a connection that failed or hung before any answer began
 * (protocol §8.5): a host that has answered is there, whatever it answered.
 */
function hostAfter(error: unknown, baseUrl: URL): URL {
  const unheard =
    error instanceof PaymentsError &&
    (error.reason === 'unreachable' || error.reason === 'timeout') &&
    !error.answerBegan
  if (!unheard || baseUrl.host !== OFFICIAL_HOST || baseUrl.protocol !== 'https:') return baseUrl
  return new URL(`https://${BACKUP_HOST}`)
}

/** Throws with the reasons of a notification: an answer is verified exactly as a notification is. */
export function verifyAnswer(raw: RawAnswer, keyFor: KeyFor, now: Date): void {
  const signed = readSignatureHeaders((name) => raw.headers.get(name) ?? undefined)
  verifySigned(signed, raw.body, { keyFor, now })
}

/** An answer that does not verify is not an answer; a probe may be asked for again (protocol §1.5). */
export function unverified(error: unknown, { requestId, status }: RawAnswer): PaymentsError {
  const reason = error instanceof PaymentsError ? error.reason : 'not verified'
  const advice = reason === 'probe' ? 'retry' : 'ask_again'
  return new PaymentsError('unverified_answer', { about: reason, requestId, status, advice })
}

function parsed<Content>({ status, body, requestId }: RawAnswer, endpoint: Endpoint<Content>): Content {
  if (status === 202)
    throw new PaymentsError('refused', { status, requestId, advice: 'ask_again', about: 'not finished' })
  const content = endpoint.read(body.length === 0 ? null : parseJson(body))
  if (content !== undefined) return content
  throw new PaymentsError('malformed_answer', { requestId, status })
}
