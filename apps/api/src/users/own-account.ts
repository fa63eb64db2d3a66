import { column, execute, nullable, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { AccessClaims } from './user-tokens.ts'

/** The columns of a user that a request works with. */
const signedInColumns = {
  id: column.text,
  openid: column.text,
  nickname: nullable(column.text),
  avatarUrl: nullable(column.text),
  createdAt: column.instant,
}
export type SignedInUser = RowOf<typeof signedInColumns>

const signedInColumnsSql = Prisma.sql`id, openid, nickname, avatar_url AS "avatarUrl", created_at AS "createdAt"`

/**
 * The user a valid token names, looked up at each request together with the family of the token: a disabled user and
 * a session that ended are refused at once.
 * @throws DomainError unauthenticated, user_disabled
 */
export async function getSignedInUser(pool: Pool, { userId, familyId }: AccessClaims): Promise<SignedInUser> {
  const [found] = await execute(
    pool,
    query(
      'find-user',
      Prisma.sql`
      SELECT ${signedInColumnsSql}, disabled_at IS NOT NULL AS disabled, NOT EXISTS (
        SELECT FROM token_families f WHERE f.id = ${familyId}::uuid AND f.user_id = users.id
          AND f.revoked_at IS NULL AND f.expires_at > business_now()) AS ended
      FROM users WHERE id = ${userId}::uuid AND erased_at IS NULL`,
      { ...signedInColumns, disabled: column.boolean, ended: column.boolean },
    ),
  )
  if (!found) throw new DomainError('unauthenticated')
  const { disabled, ended, ...user } = found
  if (disabled) throw new DomainError('user_disabled')
  if (ended) throw new DomainError('unauthenticated')
  return user
}

/** Absent: stays as it is. */
export type ProfileChanges = { nickname?: string | null; avatarUrl?: string | null }

/** Changes what a person shows of themselves. */
export async function changeProfile(
  pool: Pool,
  userId: string,
  { nickname, avatarUrl }: ProfileChanges,
): Promise<SignedInUser> {
  const [user] = await execute(
    pool,
    query(
      'change-profile',
      Prisma.sql`
      UPDATE users SET
        nickname = CASE WHEN ${nickname !== undefined} THEN ${nickname ?? null} ELSE nickname END,
        avatar_url = CASE WHEN ${avatarUrl !== undefined} THEN ${avatarUrl ?? null} ELSE avatar_url END
      WHERE id = ${userId}::uuid AND erased_at IS NULL
      RETURNING ${signedInColumnsSql}`,
      signedInColumns,
    ),
  )
  if (!user) throw new DomainError('unauthenticated')
  return user
}

/**
 * Takes this hour's export, so that many at once are one.
 * @throws DomainError rate_limited
 */
export async function claimExport(pool: Pool, userId: string): Promise<void> {
  const [claim] = await execute(
    pool,
    query(
      'claim-export',
      Prisma.sql`WITH claimed AS (
        UPDATE users SET exported_at = business_now()
        WHERE id = ${userId}::uuid AND (exported_at IS NULL OR exported_at <= business_now() - interval '1 hour')
        RETURNING id)
      SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM claimed)
        THEN greatest(1, ceil(3600 - extract(epoch FROM business_now() - coalesce(exported_at, business_now()))))::int END AS "waitSeconds"
      FROM users WHERE id = ${userId}::uuid`,
      { waitSeconds: nullable(column.number) },
    ),
  )
  if (!claim) throw new DomainError('unauthenticated')
  if (claim.waitSeconds !== null)
    throw new DomainError('rate_limited', { retryAfterSeconds: claim.waitSeconds })
}
