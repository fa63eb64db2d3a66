import {
  type NotificationFilter,
  type NotificationListQuery,
  NotificationRow,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Pool, Prisma, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { countRows } from '../platform/paging/count-tabs.ts'
import { type KeysetSort, keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { InstantKey } from '../platform/paging/paging.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/run-limited.ts'

const { sql } = Prisma

const byArrival = {
  column: sql`first_at`,
  type: sql`timestamptz`,
  Key: InstantKey,
  idType: sql`text`,
  Id: z.string().min(1).max(64),
}
const sorts = {
  newest: { ...byArrival, descending: true },
  oldest: { ...byArrival, descending: false },
} as const satisfies Record<NotificationListQuery['sort'], KeysetSort>

export const notificationColumnsSql = sql`
  id, event_type AS "eventType", outcome, out_trade_no AS "outTradeNo", deliveries, first_at AS "firstAt", last_at AS "lastAt"`

function conditions({ outcome, from, to, search }: NotificationFilter): Prisma.Sql {
  const list = [
    sql`TRUE`,
    ...(outcome ? [sql`outcome = ${outcome}::notification_outcome`] : []),
    ...(from ? [sql`first_at >= ${from}`] : []),
    ...(to ? [sql`first_at < ${to}`] : []),
    ...(search ? [sql`(id = ${search} OR out_trade_no = ${search.toUpperCase()})`] : []),
  ]
  return Prisma.join(list, ' AND ')
}

const listed = columnsOf(NotificationRow.extend({ sortKey: z.string() }))
type Read = RowOf<typeof listed>
const toRow = ({ sortKey: _, ...row }: Read): NotificationRow => row

/** One page of the inbox, forwards or backwards, at the same cost at any depth. */
export async function listNotifications(
  pool: Pool,
  query: NotificationListQuery,
): Promise<TwoWayPage<NotificationRow>> {
  const { sort, limit, cursor: text, ...filter } = query
  const { cursor, beyond, orderBy } = keysetOf(sorts[sort], text)
  const rows = await readLimited(
    pool,
    sql`SELECT ${notificationColumnsSql}, first_at::text AS "sortKey" FROM notifications
      WHERE ${conditions(filter)} AND ${beyond} ORDER BY ${orderBy} LIMIT ${limit + 1}`,
    listed,
  )
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, row.id])
  return { ...page, items: page.items.map(toRow) }
}

/** How many notifications the filters leave: exact up to 10,000. */
export const countNotifications = (pool: Pool, filter: NotificationFilter): Promise<RowCount> =>
  countRows(pool, sql`notifications WHERE ${conditions(filter)}`)
