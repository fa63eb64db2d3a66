import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { TokenPair } from '@meridian/contracts'
import { errors, SignJWT } from 'jose'
import { z } from 'zod'
import type { Secrets } from '../platform/crypto/seal.ts'
import { signingKey, verifyToken } from '../platform/crypto/verify-token.ts'
import { DomainError } from '../platform/errors/domain-error.ts'

const accessSeconds = 7200
const audience = 'meridian-miniprogram'

/** Whom an access token names, and by which sign-in: the family of refresh tokens it ends with (claim `sid`). */
export type AccessClaims = { userId: string; familyId: string }
const Claims = z.object({ sub: z.uuid(), sid: z.uuid() })

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A refresh token: 256 random bits; only its hash is kept. */
export const newRefreshToken = (): string => randomBytes(32).toString('base64url')

type Signing = AccessClaims & { refreshToken: string; now: Date }

/** A short-lived access token for this user and sign-in, beside a refresh token. */
export async function signTokens(
  secrets: Secrets,
  { userId, familyId, refreshToken, now }: Signing,
): Promise<TokenPair> {
  const accessToken = await new SignJWT({ sid: familyId })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + accessSeconds * 1000))
    .sign(signingKey(secrets))
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: accessSeconds,
  }
}

/**
 * Whose access token this is, now. One without a family is of an earlier release and refused: clients renew it.
 * @throws DomainError token_expired, unauthenticated
 */
export async function readAccessToken(
  secrets: Secrets,
  { token, now }: { token: string; now: Date },
): Promise<AccessClaims> {
  try {
    const { payload } = await verifyToken(secrets, token, {
      audience,
      requiredClaims: ['exp'],
      currentDate: now,
    })
    const claims = Claims.safeParse(payload)
    if (claims.success) return { userId: claims.data.sub, familyId: claims.data.sid }
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new DomainError('token_expired')
  }
  throw new DomainError('unauthenticated')
}
