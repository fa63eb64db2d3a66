import { type AlertMessageListQuery, AlertMessageRow, type TwoWayPage } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { z } from 'zod'
import { type KeysetSort, keysetOf, toTwoWayPage } from '../../platform/paging/keyset.ts'
import { InstantKey } from '../../platform/paging/paging.ts'
import { columnsOf } from '../../platform/sql/columns-of.ts'
import { readLimited } from '../../platform/sql/run-limited.ts'

const { sql } = Prisma

const newestFirst: KeysetSort = {
  column: sql`message.created_at`,
  type: sql`timestamptz`,
  Key: InstantKey,
  id: sql`message.id`,
  descending: true,
}

const listed = columnsOf(AlertMessageRow.extend({ sortKey: z.string() }))

/** What was sent to every channel, newest first; also to channels that are gone. */
export async function listMessages(
  pool: Pool,
  { limit, cursor: text }: AlertMessageListQuery,
): Promise<TwoWayPage<AlertMessageRow>> {
  const { cursor, beyond, orderBy } = keysetOf(newestFirst, text)
  const rows = await readLimited(
    pool,
    sql`
      SELECT message.id::text, channel.kind AS "channelKind", channel.host, message.kind, message.state,
        alert.kind AS "alertKind", alert.subject, message.alerts, message.error, message.created_at AS "createdAt",
        message.created_at::text AS "sortKey"
      FROM alert_messages message JOIN alert_channels channel ON channel.id = message.channel_id
      LEFT JOIN alerts alert ON alert.id = message.alert_id
      WHERE ${beyond} ORDER BY ${orderBy} LIMIT ${limit + 1}`,
    listed,
  )
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, row.id])
  return { ...page, items: page.items.map(({ sortKey: _, ...row }) => row) }
}
