import { createSecretKey } from 'node:crypto'
import { errors, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose'
import type { Secrets } from './seal.ts'

export const signingKey = ([newest]: Secrets) => createSecretKey(Buffer.from(newest))

/**
 * Verifies a token (HS256) that was signed with any of these secrets: with an older one while it is being rotated.
 * @throws errors of jose
 */
export async function verifyToken(
  secrets: Secrets,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTVerifyResult> {
  const [newest, ...older] = secrets
  try {
    return await jwtVerify(token, createSecretKey(Buffer.from(newest)), { ...options, algorithms: ['HS256'] })
  } catch (error) {
    const [next, ...rest] = older
    if (!(error instanceof errors.JWSSignatureVerificationFailed) || next === undefined) throw error
    return verifyToken([next, ...rest], token, options)
  }
}
