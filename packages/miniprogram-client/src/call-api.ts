import { isProblemPage } from './answers.ts'
import type { Phone, PhoneAnswer, PhoneRequest } from './phone.ts'
import { isCode, isProblem, ProblemError } from './problem.ts'

export type Call = {
  method?: PhoneRequest['method']
  body?: unknown
  /** Makes the body anew each time it is sent, where it holds what is good for one time only. */
  makeBody?: () => Promise<unknown>
  headers?: Record<string, string>
  /** How often it may be sent again when no answer came, or none that settles it: 0 where twice is not once. */
  repeats?: number
}

/** Sends one request as often as it may be sent. Throws ProblemError for every answer that is no success. */
export type SendCall = (path: string, call: Call & { token?: string | null }) => Promise<PhoneAnswer>

/** Where the API is and which phone asks it. */
export type ClientSettings = {
  /** Where the API is, without `/api/v1`. */
  baseUrl: string
  phone: Phone
  /** In which language problems are told; zh-CN when absent. */
  language?: 'zh-CN' | 'en'
}

const usualRepeats = 2
const firstPauseMs = 400
const longestPauseMs = 5000
/** The API answers within seven seconds or says that the payment platform did not. */
const timeoutMs = 15_000

/** What another attempt may settle: nobody answered, or something behind the API is down. */
const worthRepeating = (error: unknown): error is ProblemError =>
  isProblem(error, 'unreachable', 'idempotency_in_progress') ||
  (isProblem(error) && [502, 503, 504].includes(error.status))

function problemOf({ status, headers, body }: PhoneAnswer): ProblemError {
  // A proxy in front of the API answers in words of its own.
  const page = isProblemPage(body) ? body : {}
  const code = isCode(page.code) ? page.code : status >= 500 ? 'service_unavailable' : 'invalid_request'
  const after = Number(headers['retry-after'])
  return new ProblemError(code, { ...page, status }, after > 0 ? after : null)
}

export function openCalls({ baseUrl, phone, language = 'zh-CN' }: ClientSettings): SendCall {
  const origin = `${baseUrl.replace(/\/$/, '')}/api/v1`

  const unreachable = () => {
    throw new ProblemError('unreachable')
  }

  async function sendOnce(path: string, call: Parameters<SendCall>[1]) {
    const { method = 'GET', headers, token, makeBody } = call
    const body = makeBody ? await makeBody().catch(unreachable) : call.body
    const request: PhoneRequest = {
      method,
      url: `${origin}${path}`,
      timeoutMs,
      body: body === undefined ? null : JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        'accept-language': language,
        'x-client-platform': phone.platform,
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
    }
    const answer = await phone.request(request).catch(unreachable)
    if (answer.status >= 400) throw problemOf(answer)
    return answer
  }

  return async (path, call) => {
    const repeats = call.repeats ?? usualRepeats
    for (let turn = 0; ; turn += 1) {
      try {
        return await sendOnce(path, call)
      } catch (error) {
        if (turn >= repeats || !worthRepeating(error)) throw error
        const asked = (error.retryAfterSeconds || 0) * 1000
        await phone.wait(Math.min(longestPauseMs, Math.max(asked, firstPauseMs * 2 ** turn)))
      }
    }
  }
}
