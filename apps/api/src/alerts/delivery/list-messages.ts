import { type AlertMessageListQuery, AlertMessageRow, type TwoWayPage } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { byAge, instantColumn, serialColumn } from '../../platform/paging/keyset.ts'
import { readPage } from '../../platform/paging/read-page.ts'
import { columnsOf } from '../../platform/sql/columns-of.ts'

const { sql } = Prisma

const { newest } = byAge({
  key: instantColumn(sql`message.created_at`),
  id: serialColumn(sql`message.id`),
})

/** What was sent to every channel, newest first; also to channels that are gone. */
export const listMessages = (
  pool: Pool,
  asked: AlertMessageListQuery,
): Promise<TwoWayPage<AlertMessageRow>> =>
  readPage(
    pool,
    { sort: newest, asked, columns: columnsOf(AlertMessageRow) },
    ({ position, page }) => sql`
      SELECT message.id::text, channel.kind AS "channelKind", channel.host, message.kind, message.state,
        alert.kind AS "alertKind", alert.subject, message.alerts, message.error, message.created_at AS "createdAt",
        ${position}
      FROM alert_messages message JOIN alert_channels channel ON channel.id = message.channel_id
      LEFT JOIN alerts alert ON alert.id = message.alert_id
      WHERE ${page}`,
  )
