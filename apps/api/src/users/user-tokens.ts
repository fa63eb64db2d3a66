import { createHash, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import type { TokenPair } from '@meridian/contracts'
import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { DomainError } from '../domain-error.ts'

const accessSeconds = 7200
const audience = 'meridian-miniprogram'
const UserId = z.uuid()

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** A refresh token: 256 random bits; only its hash is kept. */
export const newRefreshToken = (): string => randomBytes(32).toString('base64url')

const keyOf = (secret: string) => createSecretKey(Buffer.from(secret))

/** A short-lived access token for this user beside a refresh token. */
export async function signTokens(secret: string, userId: string, refreshToken: string): Promise<TokenPair> {
  const accessToken = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(userId)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(`${accessSeconds}s`)
    .sign(keyOf(secret))
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
export async function readAccessToken(secret: string, token: string): Promise<string> {
  try {
    const { payload } = await jwtVerify(token, keyOf(secret), {
      algorithms: ['HS256'],
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
