import { createSecretKey } from 'node:crypto'
import { jwtVerify } from 'jose'
import { z } from 'zod'

const Claims = z.object({ address: z.string().max(64), user_agent: z.string().max(512) })

/** The browser behind a call, as the console saw it. */
export type Browser = { address: string; userAgent: string }

/** Reads the token that only our console can make; null for anything else. */
export async function readConsoleToken(
  authSecret: string,
  token: string | undefined,
): Promise<Browser | null> {
  if (!token) return null
  const key = createSecretKey(Buffer.from(authSecret))
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      audience: 'meridian-console',
      maxTokenAge: '90s',
    })
    const claims = Claims.parse(payload)
    return { address: claims.address, userAgent: claims.user_agent }
  } catch {
    return null
  }
}
