import { column, execute, type PoolClient, Prisma, part, reading, statement } from '@meridian/db'
import { openSubscriptionSql } from '../subscriptions/write-grant.ts'

const { sql } = Prisma

/** Somebody whom another system knows; `id` is theirs where they are new. */
export type ImportedUser = { id: string; openid: string; nickname: string | null }

/**
 * The users of these openids, each with a subscription; who is not known yet is made. A nickname is kept where there is
 * none: what somebody wrote here themselves stays. Answers ids by openid, and whether this call made them.
 */
export async function meetImportedUsers(
  client: PoolClient,
  users: readonly ImportedUser[],
): Promise<ReadonlyMap<string, { id: string; isNew: boolean }>> {
  const told = sql`jsonb_to_recordset(${JSON.stringify(users)}::jsonb) t (id uuid, openid text, nickname text)`
  const met = await execute(
    client,
    statement({
      name: 'meet-imported-users',
      parts: [
        part(
          'met',
          [],
          sql`
          INSERT INTO users AS u (id, openid, nickname) SELECT id, openid, nickname FROM ${told} ORDER BY openid
          ON CONFLICT (openid) DO UPDATE SET nickname = coalesce(u.nickname, excluded.nickname)
          RETURNING u.id, u.openid, xmax = 0 AS is_new`,
        ),
        part('subscribed', ['met'], openSubscriptionSql(sql`met`)),
      ],
      select: reading(['met'], sql`SELECT id::text AS id, openid, is_new AS "isNew" FROM met`),
      rows: { id: column.text, openid: column.text, isNew: column.boolean },
    }),
  )
  return new Map(met.map(({ openid, ...user }) => [openid, user]))
}

/** Whether the person of the row `r` was disabled before their account was erased, a condition: they may not come back. */
export const isBannedRowSql: Prisma.Sql = sql`EXISTS (
  SELECT 1 FROM users banned WHERE banned.openid_mac = r.openid_mac AND banned.disabled_at IS NOT NULL)`

/**
 * Whether the person of the row `alias` had their account erased and has none since, a condition: an import does not bring
 * them back.
 */
export const isErasedRowSql = (alias: 'r' | 'e'): Prisma.Sql => {
  const row = Prisma.raw(alias)
  return sql`(EXISTS (SELECT 1 FROM users gone WHERE gone.openid_mac = ${row}.openid_mac AND gone.disabled_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM users here WHERE here.openid = ${row}.openid))`
}
