import { type Pool, Prisma, run } from '@meridian/db'
import { DomainError } from '../domain-error.ts'

export type SignedInUser = {
  id: string
  openid: string
  nickname: string | null
  avatarUrl: string | null
  createdAt: Date
}

/** The columns of a user that a request works with. */
export const signedInColumns = Prisma.sql`id, openid, nickname, avatar_url AS "avatarUrl", created_at AS "createdAt"`

/**
 * The user a valid token names, looked up at each request so that a disabled one is refused at once.
 * @throws DomainError unauthenticated, user_disabled
 */
export async function getSignedInUser(pool: Pool, id: string): Promise<SignedInUser> {
  const [user] = await run<SignedInUser & { disabled: boolean }>(
    pool,
    'find-user',
    Prisma.sql`
      SELECT ${signedInColumns}, disabled_at IS NOT NULL AS disabled
      FROM users WHERE id = ${id}::uuid AND erased_at IS NULL`,
  )
  if (!user) throw new DomainError('unauthenticated')
  if (user.disabled) throw new DomainError('user_disabled')
  return user
}
