import type { EndpointRequest, PlatformEndpoint } from './endpoint-request.ts'
import { randomText } from './platform-state.ts'
import { plain, type Reply } from './reply.ts'

const CODE_LIVES_MS = 5 * 60_000

/** Errors of this platform are numbers in an answer of status 200 (protocol §9). */
export const failure = (errcode: number, words: string): Reply =>
  plain({ errcode, errmsg: `${words} rid: ${randomText(4)}-${randomText(4)}` })

function logIn({ state, query }: EndpointRequest): Reply {
  const { appId, appSecret } = state.keys
  const code = state.loginCodes.get(query.get('js_code') ?? '')
  if (query.get('appid') !== appId) return failure(40013, 'invalid appid')
  if (query.get('secret') !== appSecret) return failure(40125, 'invalid appsecret')
  if (!code || state.now().getTime() - code.madeAt.getTime() > CODE_LIVES_MS)
    return failure(40029, 'invalid code')
  if (code.used) return failure(40163, 'code been used')
  code.used = true
  return plain({ openid: code.openid, session_key: randomText(12) })
}

/** The mini-program side: no signature, no refusal by status (protocol §9). */
export const miniProgramEndpoints: readonly PlatformEndpoint[] = [
  { method: 'GET', path: /^\/sns\/jscode2session$/, place: 'mini_program', answer: logIn },
]
