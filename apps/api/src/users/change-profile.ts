import { execute, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { type SignedInUser, signedInColumns, signedInColumnsSql } from './find-user.ts'

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
