import {
  column,
  execute,
  nullable,
  type Pool,
  type PoolClient,
  Prisma,
  part,
  query,
  type RowOf,
  reading,
  statement,
} from '@meridian/db'
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

/** Whether there is a user to erase; then rows that would name the user wait until the transaction ends. */
export async function isStillThere(client: PoolClient, userId: string): Promise<boolean> {
  const users = await execute(
    client,
    query(
      'lock-user-to-erase',
      Prisma.sql`SELECT id FROM users WHERE id = ${userId}::uuid AND erased_at IS NULL FOR UPDATE`,
    ),
  )
  return users.length > 0
}

/**
 * Keeps everything new of this user away until the transaction ends.
 * @throws DomainError unauthenticated when the user is erased already
 */
export async function lockUser(client: PoolClient, userId: string): Promise<void> {
  if (!(await isStillThere(client, userId))) throw new DomainError('unauthenticated')
}

/** Takes profile, sessions and permissions away; of the identity only its keyed mark stays. */
export async function eraseUser(client: PoolClient, userId: string, mac: string): Promise<void> {
  const whose = Prisma.sql`user_id = ${userId}::uuid`
  await execute(
    client,
    statement({
      name: 'erase-user',
      parts: [
        part('sessions', [], Prisma.sql`DELETE FROM token_families WHERE ${whose}`),
        part('permissions', [], Prisma.sql`DELETE FROM message_permissions WHERE ${whose}`),
        part('reminders', [], Prisma.sql`DELETE FROM reminders WHERE ${whose}`),
        part('messages', [], Prisma.sql`DELETE FROM message_attempts WHERE ${whose}`),
      ],
      select: reading(
        [],
        Prisma.sql`
          UPDATE users SET openid = ${`erased:${mac}:${userId}`}, openid_mac = ${mac}, nickname = NULL, avatar_url = NULL,
            erased_at = business_now(), exported_at = NULL
          WHERE id = ${userId}::uuid`,
      ),
    }),
  )
}
