import { z } from 'zod'
import type { Runtime } from '../runtime.ts'
import { callMiniProgram, type MiniProgramRequest } from './call-mini-program.ts'
import { MiniProgramError, type MiniProgramSettings } from './mini-program.ts'

const TokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })

/** A token is not used in its last minute, so that it does not end on the way. */
const MARGIN_MS = 60_000

/** Codes that say that the token is no longer good (protocol §9.2). */
const EXPIRED: ReadonlySet<number | null> = new Set([40001, 40014, 42001])

export type AuthorizedCall = (request: Omit<MiniProgramRequest, 'query' | 'method'>) => Promise<unknown>

/**
 * Calls with the stable access token (protocol §9.2): one for all calls, fetched once however many wait for it.
 * Every process of the merchant is given the same one, so none takes it away from another. A call that meets an
 * expired token fetches a new one and repeats, once.
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
  const callWith = (value: string, request: Omit<MiniProgramRequest, 'query' | 'method'>) =>
    callMiniProgram({ baseUrl, runtime }, { ...request, method: 'POST', query: { access_token: value } })

  return async (request) => {
    const value = await currentToken()
    try {
      return await callWith(value, request)
    } catch (error) {
      if (!(error instanceof MiniProgramError) || !EXPIRED.has(error.errcode)) throw error
      if (token?.value === value) token = null
      return callWith(await currentToken(), request)
    }
  }
}

const tokenRequest = ({ appId, appSecret }: MiniProgramSettings): MiniProgramRequest => ({
  name: 'access_token',
  method: 'POST',
  path: '/cgi-bin/stable_token',
  query: {},
  body: { grant_type: 'client_credential', appid: appId, secret: appSecret, force_refresh: false },
})
