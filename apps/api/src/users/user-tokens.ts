import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { TokenPair } from '@meridian/contracts'
import { errors, SignJWT } from 'jose'
import { z } from 'zod'
import { DomainError } from '../domain-error.ts'
import type { Secrets } from '../platform/crypto/seal.ts'
import { signingKey, verifyToken } from '../platform/crypto/verify-token.ts'

const accessSeconds = 7200
const audience = 'meridian-miniprogram'
const UserId = z.uuid()

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A refresh token: 256 random bits; only its hash is kept. */
export const newRefreshToken = (): string => randomBytes(32).toString('base64url')

/** A short-lived access token for this user beside a refresh token. */
export async function signTokens(secrets: Secrets, userId: string, refreshToken: string): Promise<TokenPair> {
  const accessToken = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${accessSeconds}s`)
    .sign(signingKey(secrets))
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: accessSeconds,
  }
}

/**
 * Whose access token this is.
 * @throws DomainError token_expired, unauthenticated
 */
export async function readAccessToken(secrets: Secrets, token: string): Promise<string> {
  try {
    const { payload } = await verifyToken(secrets, token, {
      audience,
      requiredClaims: ['exp'],
    })
    const subject = UserId.safeParse(payload.sub)
    if (subject.success) return subject.data
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new DomainError('token_expired')
  }
  throw new DomainError('unauthenticated')
}
