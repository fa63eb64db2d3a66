import { z } from 'zod'
import { parseJson } from '../read-fields.ts'
import { inTime } from '../request.ts'
import { observed, type Runtime } from '../runtime.ts'
import { USER_AGENT } from '../send-once.ts'
import { MiniProgramError, type MiniProgramReason, type MiniProgramSettings } from './mini-program.ts'

const BUDGET_MS = 5_000

/** What every answer of this platform may carry; 0 or absent is success (protocol §9). */
const Verdict = z.object({ errcode: z.number().int().optional(), errmsg: z.string().optional() })

const reasons: Readonly<Record<number, MiniProgramReason>> = {
  [-1]: 'busy',
  45011: 'busy',
  45009: 'busy',
  40029: 'invalid_code',
  40163: 'invalid_code',
  40226: 'blocked',
  40013: 'misconfigured',
  40125: 'misconfigured',
  40164: 'misconfigured',
  41002: 'misconfigured',
  41004: 'misconfigured',
  61004: 'misconfigured',
  48001: 'misconfigured',
  41008: 'invalid_code',
  40003: 'invalid_request',
  40037: 'misconfigured',
  41030: 'misconfigured',
  47001: 'invalid_request',
  47003: 'misconfigured',
  43101: 'not_subscribed',
  10060001: 'not_yet',
}

type MiniProgramRequest = {
  /** What it is called where calls are counted. */
  name: string
  method: 'GET' | 'POST'
  path: string
  query: Readonly<Record<string, string>>
  /** JSON, sent byte for byte: some of it is signed. */
  body?: string
  /** An answer without a body is a success: some endpoints have nothing to say. */
  mayBeEmpty?: boolean
  /** Ends the call; without one it ends after five seconds. */
  signal?: AbortSignal
  /** What a number means here, where that differs from the rest of the platform. */
  reasonOf?: (errcode: number, errmsg: string) => MiniProgramReason | undefined
}

/**
 * Calls the mini-program platform (protocol §9): no signature, always status 200, errors as numbers. Throws
 * MiniProgramError; nothing of the request, which holds secrets in its query, reaches an error.
 */
export const callMiniProgram = (
  at: { baseUrl: string; runtime: Runtime },
  request: MiniProgramRequest,
): Promise<unknown> =>
  observed(at.runtime, { platform: 'mini_program', endpoint: request.name }, () => send(at, request))

async function send(
  { baseUrl, runtime }: { baseUrl: string; runtime: Runtime },
  {
    method,
    path,
    query,
    body,
    mayBeEmpty,
    reasonOf,
    signal = AbortSignal.timeout(BUDGET_MS),
  }: MiniProgramRequest,
): Promise<unknown> {
  const url = new URL(path, baseUrl)
  url.search = new URLSearchParams(query).toString()
  const answer = await runtime
    .fetch(url, {
      method,
      headers: { accept: 'application/json', 'user-agent': USER_AGENT, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal,
    })
    .then(async (response) => {
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (!response.ok) return undefined
      return bytes.length === 0 && mayBeEmpty ? {} : parseJson(bytes)
    })
    .catch(() => undefined)
  const verdict = Verdict.safeParse(answer)
  if (!verdict.success) throw new MiniProgramError(signal.aborted ? 'timeout' : 'unreachable')
  const { errcode, errmsg = '' } = verdict.data
  if (!errcode) return answer
  const reason = reasonOf?.(errcode, errmsg) ?? reasons[errcode] ?? 'refused'
  throw new MiniProgramError(reason, errcode, requestIdIn(errmsg))
}

/** The platform's own number of a call, at the end of its message: what its support asks for (protocol §9). */
const requestIdIn = (errmsg: string): string | null => /\brid: ([\w-]{1,64})\s*$/.exec(errmsg)?.[1] ?? null

const TokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

/** A token is not used in its last minute, so that it does not end on the way. */
const MARGIN_MS = 60_000

/** Codes that say that the token is no longer good (protocol §9.2). */
const EXPIRED: ReadonlySet<number | null> = new Set([40001, 40014, 42001])

/** The result of the work, or a timeout once the signal aborts: others may go on waiting for the same work. */
const before = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new MiniProgramError('timeout')), { once: true })
    work.then(resolve, reject)
  })

type AuthorizedRequest = Omit<MiniProgramRequest, 'query' | 'method' | 'signal'> & {
  /** What stands in the address beside the token. */
  query?: Readonly<Record<string, string>>
}

export type AuthorizedCall = (request: AuthorizedRequest) => Promise<unknown>

/**
 * Calls with the stable access token (protocol §9.2): one for all calls, fetched once however many wait for it.
 * Every process of the merchant is given the same one, so none takes it away from another. A call that meets an
 * expired token fetches a new one and repeats, once, with the same body and the same signatures. Five seconds cover it
 * all, the token included.
 */
export function authorizedCaller(settings: MiniProgramSettings, runtime: Runtime): AuthorizedCall {
  const { baseUrl } = settings
  let token: { value: string; goodUntil: number } | null = null
  let fetching: Promise<string> | null = null

  const fetchToken = async (): Promise<string> => {
    const answer = TokenAnswer.safeParse(await callMiniProgram({ baseUrl, runtime }, tokenRequest(settings)))
    if (!answer.success) throw new MiniProgramError('unreachable')
    const { access_token: value, expires_in: seconds } = answer.data
    token = { value, goodUntil: runtime.now().getTime() + seconds * 1000 - MARGIN_MS }
    return value
  }
  const currentToken = async (): Promise<string> => {
    if (token !== null && runtime.now().getTime() < token.goodUntil) return token.value
    fetching ??= fetchToken().finally(() => {
      fetching = null
    })
    return fetching
  }
  return ({ query, ...request }) =>
    inTime({ ms: BUDGET_MS }, async (signal) => {
      const callWith = (value: string) =>
        callMiniProgram(
          { baseUrl, runtime },
          { ...request, method: 'POST', query: { access_token: value, ...query }, signal },
        )
      const value = await before(signal, currentToken())
      try {
        return await callWith(value)
      } catch (error) {
        if (!(error instanceof MiniProgramError) || !EXPIRED.has(error.errcode)) throw error
        if (token?.value === value) token = null
        return callWith(await before(signal, currentToken()))
      }
    })
}

const tokenRequest = ({ appId, appSecret }: MiniProgramSettings): MiniProgramRequest => ({
  name: 'access_token',
  method: 'POST',
  path: '/cgi-bin/stable_token',
  query: {},
  body: JSON.stringify({
    grant_type: 'client_credential',
    appid: appId,
    secret: appSecret,
    force_refresh: false,
  }),
})
