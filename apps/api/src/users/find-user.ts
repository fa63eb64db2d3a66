import { column, execute, nullable, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { AccessClaims } from './user-tokens.ts'

/** The columns of a user that a request works with. */
export const signedInColumns = {
  id: column.text,
  openid: column.text,
  nickname: nullable(column.text),
  avatarUrl: nullable(column.text),
  createdAt: column.instant,
}
export type SignedInUser = RowOf<typeof signedInColumns>

export const signedInColumnsSql = Prisma.sql`id, openid, nickname, avatar_url AS "avatarUrl", created_at AS "createdAt"`

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
