import { execute, type PoolClient, Prisma, part, query, reading, statement } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'

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
