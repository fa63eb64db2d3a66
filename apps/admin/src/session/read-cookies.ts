import { cookies } from 'next/headers'
import { decode, type JWT } from 'next-auth/jwt'
import { z } from 'zod'
import { config } from '../config.ts'
import { cookieName } from '../cookies.ts'

/** As long as a session of the API lives; the API also ends it after two idle hours. */
export const SESSION_SECONDS = 12 * 60 * 60

export const sessionCookieName = (consoleUrl: string): string => cookieName('meridian.session', consoleUrl)

export const SessionClaims = z.object({ operatorToken: z.string().min(1) })

/** What the encrypted cookie says; null when no secret of AUTH_SECRET opens it. */
export async function decodeCookie(value: string): Promise<JWT | null> {
  for (const secret of config().authSecrets) {
    const claims = await decode({ token: value, secret }).catch(() => null)
    if (claims) return claims
  }
  return null
}

/** The operator's session token at the API, out of the encrypted cookie; null when there is none that holds. */
export async function operatorToken(): Promise<string | null> {
  const cookie = (await cookies()).get(sessionCookieName(config().consoleUrl))
  if (!cookie) return null
  const claims = await decodeCookie(cookie.value)
  return SessionClaims.safeParse(claims).data?.operatorToken ?? null
}

/** What this browser keeps under that name (`keepPreference`). */
export const preference = async (name: string): Promise<string | undefined> =>
  (await cookies()).get(cookieName(name, config().consoleUrl))?.value
