import { z } from 'zod'
import type { Runtime } from '../runtime.ts'
import { callMiniProgram } from './call-mini-program.ts'
import { MiniProgramError, type MiniProgramSettings } from './mini-program.ts'

const SessionAnswer = z.object({ openid: z.string().min(1), unionid: z.string().optional() })

/**
 * `jscode2session` (protocol §9.1). A code works once, so a failure is never repeated with the same one. The session
 * key in the answer is not read at all.
 */
export async function logIn(
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
