import type { Credentials } from './check-settings.ts'
import type { Endpoint } from './endpoints/endpoint.ts'
import { type Advice, PaymentsError } from './payments-error.ts'
import { isFields, parseJson } from './read-fields.ts'
import type { Runtime } from './runtime.ts'
import { requestMessage, sign } from './signature.ts'

export const USER_AGENT = `meridian-payments/0.1.0 (node ${process.versions.node})`

/** No answer of the platform but a bill comes near this. */
const LONGEST_ANSWER_BYTES = 1024 * 1024

export type RawAnswer = { status: number; headers: Headers; body: Uint8Array; requestId: string | null }

export type Sender = {
  credentials: Credentials
  runtime: Runtime
  /** The id for `Wechatpay-Serial`; null while no key is known. */
  serial: () => string | null
}

type Attempt = { url: URL; signal: AbortSignal }

type Sendable = Pick<Endpoint<unknown>, 'method' | 'serial'> & { bodyText: string }

/**
 * Signs and sends one request and gives back the response as it starts (protocol §1.1–§1.3). What is signed and what
 * is sent come from the same URL object and the same text. Throws PaymentsError `unreachable` or `timeout`.
 */
export async function openResponse(
  sender: Sender,
  request: Sendable,
  { url, signal }: Attempt,
): Promise<Response> {
  const { method, bodyText } = request
  const headers = await signedHeaders(sender, request, url)
  return sender.runtime
    .fetch(url, {
      method,
      headers,
      ...(method === 'POST' && { body: Buffer.from(bodyText, 'utf8') }),
      redirect: 'manual',
      signal,
    })
    .catch((cause: unknown) => {
      throw broken(cause, { signal, answerBegan: false })
    })
}

/** Sends one request and reads the whole answer, unjudged. */
export async function sendOnce(sender: Sender, request: Sendable, attempt: Attempt): Promise<RawAnswer> {
  return readAnswer(await openResponse(sender, request, attempt), attempt.signal)
}

/** Reads an answer whole; throws PaymentsError `malformed_answer` where it is longer than any but a bill may be. */
export async function readAnswer(response: Response, signal: AbortSignal): Promise<RawAnswer> {
  const body = await readBody(response, signal)
  return { status: response.status, headers: response.headers, body, requestId: requestIdOf(response) }
}

async function signedHeaders(sender: Sender, request: Sendable, url: URL): Promise<Record<string, string>> {
  const { credentials, runtime } = sender
  const timestamp = String(Math.floor(runtime.now().getTime() / 1000))
  const nonce = runtime.nonce()
  const message = {
    method: request.method,
    target: url.pathname + url.search,
    timestamp,
    nonce,
    body: request.bodyText,
  }
  const signature = await sign(requestMessage(message), credentials.privateKey)
  const serial = request.serial ?? sender.serial()
  return {
    authorization: authorization({ ...credentials, nonce, timestamp, signature }),
    accept: 'application/json',
    'user-agent': USER_AGENT,
    ...(request.method === 'POST' && { 'content-type': 'application/json' }),
    ...(serial !== null && { 'wechatpay-serial': serial }),
  }
}

type AuthorizationParts = {
  mchId: string
  nonce: string
  timestamp: string
  serialNo: string
  signature: string
}

/** The `Authorization` header (protocol §1.2). */
export const authorization = (parts: AuthorizationParts): string =>
  `WECHATPAY2-SHA256-RSA2048 mchid="${parts.mchId}",nonce_str="${parts.nonce}",timestamp="${parts.timestamp}",` +
  `serial_no="${parts.serialNo}",signature="${parts.signature}"`

async function readBody(response: Response, signal: AbortSignal): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array()
  const parts: Uint8Array[] = []
  let length = 0
  const reader = response.body.getReader()
  try {
    // By its reader: the iterator of a stream takes three times as long for an answer of one part.
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      length += next.value.length
      if (length > LONGEST_ANSWER_BYTES) break
      parts.push(next.value)
    }
    if (length > LONGEST_ANSWER_BYTES) await reader.cancel()
  } catch (cause) {
    throw broken(cause, { signal, answerBegan: true })
  }
  if (length > LONGEST_ANSWER_BYTES) throw new PaymentsError('malformed_answer', { about: 'too long' })
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}

function broken(cause: unknown, { signal, answerBegan }: { signal: AbortSignal; answerBegan: boolean }) {
  if (!signal.aborted) return new PaymentsError('unreachable', { cause, answerBegan })
  const ranOut = signal.reason instanceof Error && signal.reason.name === 'TimeoutError'
  const about = ranOut ? 'no answer in time' : 'given up by the caller'
  return new PaymentsError('timeout', { about, answerBegan })
}

const REQUEST_ID = /^[\w.:-]{1,128}$/

/** The platform's `Request-ID` (protocol §1.6); null when absent or unfit for a log. */
function requestIdOf({ headers }: { headers: Headers }): string | null {
  const requestId = headers.get('request-id')
  return requestId !== null && REQUEST_ID.test(requestId) ? requestId : null
}

const CODE = /^[A-Z0-9_]{1,64}$/

/** Codes that come with a status that says otherwise (protocol §8.3). */
const adviceByCode: Readonly<Record<string, Advice>> = {
  OPENID_MISMATCH: 'fix',
  INVALID_TRANSACTIONID: 'fix',
  NO_AUTH: 'fix',
  NOAUTH: 'fix',
  NOT_ENOUGH: 'fix',
  NOTENOUGH: 'fix',
  ORDER_PAID: 'ask_again',
  ORDERPAID: 'ask_again',
  OUT_TRADE_NO_USED: 'ask_again',
  ORDER_CLOSED: 'give_up',
  ORDERCLOSED: 'give_up',
  STATEMENT_CREATING: 'retry',
  NO_STATEMENT_EXIST: 'give_up',
}

/**
 * The error for an answer that is not 2xx (protocol §8). Such answers are not signed: only the status and a code of
 * the expected form are taken from them, never their text.
 */
export function refusal({ status, body, requestId }: RawAnswer): PaymentsError {
  const content = parseJson(body)
  const { code } = isFields(content) ? content : {}
  const safeCode = typeof code === 'string' && CODE.test(code) ? code : null
  const advice = adviceOf(status, safeCode)
  const about = safeCode === null ? `status ${status}` : `status ${status}, ${safeCode}`
  return new PaymentsError('refused', { status, code: safeCode, requestId, advice, about })
}

function adviceOf(status: number, code: string | null): Advice {
  // `CODE` admits capitals only, so this never answers with a property of Object.prototype, such as `toString`.
  const known = code === null ? undefined : adviceByCode[code]
  if (known) return known
  if (status === 429 || status >= 500) return 'retry'
  return status === 400 || status === 401 ? 'fix' : 'give_up'
}
