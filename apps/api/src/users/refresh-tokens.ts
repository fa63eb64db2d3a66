import type { TokenPair } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { DomainError } from '../domain-error.ts'
import type { Services } from '../services.ts'
import { hashToken, newRefreshToken, signTokens } from './user-tokens.ts'

type Rotation = { userId: string; familyId: string; renewed: boolean; disabled: boolean }

/**
 * Uses a refresh token once and writes its successor, in one statement under the family's row lock. While no
 * successor has been used, the same token within ten seconds makes another one: an answer may have been lost.
 */
async function rotate(pool: Pool, tokenHash: Buffer, successorHash: Buffer): Promise<Rotation | null> {
  const rows = await run<Rotation>(
    pool,
    'rotate-refresh-token',
    Prisma.sql`
      WITH presented AS (
        SELECT t.token_hash, t.family_id, t.used_at, t.expires_at, f.user_id, f.expires_at AS family_expires_at, f.revoked_at,
          u.disabled_at IS NOT NULL AS disabled
        FROM refresh_tokens t JOIN token_families f ON f.id = t.family_id JOIN users u ON u.id = f.user_id
        WHERE t.token_hash = ${tokenHash} FOR UPDATE OF f, t),
      fresh AS (
        SELECT * FROM presented p
        WHERE revoked_at IS NULL AND NOT disabled AND p.expires_at > now() AND family_expires_at > now()
          AND (used_at IS NULL OR (used_at > now() - interval '10 seconds' AND NOT EXISTS (
            SELECT 1 FROM refresh_tokens s WHERE s.predecessor_hash = p.token_hash AND s.used_at IS NOT NULL)))),
      used AS (
        UPDATE refresh_tokens t SET used_at = coalesce(t.used_at, now()) FROM fresh WHERE t.token_hash = fresh.token_hash),
      renewed AS (
        INSERT INTO refresh_tokens (token_hash, family_id, predecessor_hash, expires_at)
        SELECT ${successorHash}, family_id, token_hash, least(now() + interval '30 days', family_expires_at) FROM fresh)
      SELECT user_id AS "userId", family_id AS "familyId", disabled, EXISTS (SELECT 1 FROM fresh) AS renewed FROM presented`,
  )
  return rows[0] ?? null
}

const revokeFamily = (pool: Pool, familyId: string) =>
  run(
    pool,
    'revoke-token-family',
    Prisma.sql`UPDATE token_families SET revoked_at = coalesce(revoked_at, now()) WHERE id = ${familyId}::uuid`,
  )

/**
 * A new pair of tokens for an unused refresh token.
 * @throws DomainError invalid_refresh_token; the whole family is revoked when the token was used before
 */
export async function refreshTokens(
  { database, config }: Services,
  refreshToken: string,
): Promise<TokenPair> {
  const successor = newRefreshToken()
  const rotation = await rotate(database.pool, hashToken(refreshToken), hashToken(successor))
  if (rotation?.disabled) throw new DomainError('user_disabled')
  if (rotation?.renewed) return signTokens(config.JWT_SECRET, rotation.userId, successor)
  if (rotation) await revokeFamily(database.pool, rotation.familyId)
  throw new DomainError('invalid_refresh_token')
}

/** Ends the family of this refresh token; an unknown one is none of our business. */
export async function logOut({ database }: Services, refreshToken: string): Promise<void> {
  await run(
    database.pool,
    'log-out',
    Prisma.sql`
      UPDATE token_families SET revoked_at = coalesce(revoked_at, now())
      WHERE id = (SELECT family_id FROM refresh_tokens WHERE token_hash = ${hashToken(refreshToken)})`,
  )
}
