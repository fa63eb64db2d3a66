import { z } from 'zod'
import type { Secrets } from '../../platform/crypto/seal.ts'
import { verifyToken } from '../../platform/crypto/verify-token.ts'

const Claims = z.object({ address: z.string().max(64), user_agent: z.string().max(512) })

/** The browser behind a call, as the console saw it. */
export type Browser = { address: string; userAgent: string }

/** Reads the token that only our console can make; null for anything else. */
export async function readConsoleToken(
  authSecrets: Secrets,
  token: string | undefined,
): Promise<Browser | null> {
  if (!token) return null
  try {
    const { payload } = await verifyToken(authSecrets, token, {
      audience: 'meridian-console',
      maxTokenAge: '90s',
    })
    const claims = Claims.parse(payload)
    return { address: claims.address, userAgent: claims.user_agent }
  } catch {
    return null
  }
}
