import { z } from 'zod'
import type { Runtime } from '../runtime.ts'
import { type AuthorizedCall, authorizedCaller } from './access-token.ts'
import { callMiniProgram } from './call-mini-program.ts'
import {
  type MiniProgram,
  MiniProgramError,
  type MiniProgramSettings,
  type SubscribeMessage,
} from './mini-program.ts'
import { shippingState, uploadShipping } from './upload-shipping.ts'

const SessionAnswer = z.object({ openid: z.string().min(1), unionid: z.string().optional() })

/**
 * `jscode2session` (protocol §9.1). A code works once, so a failure is never repeated with the same one. The session
 * key in the answer is not read at all.
 */
async function logIn(
  { appId, appSecret, baseUrl }: MiniProgramSettings,
  runtime: Runtime,
  code: string,
): Promise<{ openid: string; unionid: string | null }> {
  if (code === '') throw new MiniProgramError('invalid_code')
  const answer = await callMiniProgram(
    { baseUrl, runtime },
    {
      name: 'login',
      method: 'GET',
      path: '/sns/jscode2session',
      query: { appid: appId, secret: appSecret, js_code: code, grant_type: 'authorization_code' },
    },
  )
  const session = SessionAnswer.safeParse(answer)
  if (!session.success) throw new MiniProgramError('unreachable')
  return { openid: session.data.openid, unionid: session.data.unionid ?? null }
}

/** Sends one message that the user agreed to (protocol §9.4). Throws `not_subscribed` where the user did not. */
async function sendSubscribeMessage(
  call: AuthorizedCall,
  { openid, templateId, page, data, state = 'formal' }: SubscribeMessage,
): Promise<void> {
  await call({
    name: 'subscribe_message',
    path: '/cgi-bin/message/subscribe/send',
    body: {
      touser: openid,
      template_id: templateId,
      ...(page !== undefined && { page }),
      data: Object.fromEntries(Object.entries(data).map(([name, value]) => [name, { value }])),
      miniprogram_state: state,
      lang: 'zh_CN',
    },
  })
}

/** The server side of one mini-program (protocol §9). Make it once and keep it: it holds the access token. */
export function createMiniProgram(settings: MiniProgramSettings, runtime: Runtime): MiniProgram {
  const call = authorizedCaller(settings, runtime)
  return {
    login: (code) => logIn(settings, runtime, code),
    sendSubscribeMessage: (message) => sendSubscribeMessage(call, message),
    uploadShipping: (shipping) => uploadShipping(call, shipping, runtime.now()),
    shippingState: (transactionId) => shippingState(call, transactionId),
  }
}
