import {
  type NotificationFilter,
  type NotificationListQuery,
  NotificationRow,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { z } from 'zod'
import { countRows } from '../platform/paging/count-tabs.ts'
import { byAge, instantColumn } from '../platform/paging/keyset.ts'
import { readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql, withinSql } from '../platform/sql/conditions.ts'

const { sql } = Prisma

const sorts = byAge({
  key: instantColumn(sql`first_at`),
  id: { column: sql`id`, type: sql`text`, Text: z.string().min(1).max(64) },
})

export const notificationColumnsSql = sql`
  id, event_type AS "eventType", outcome, out_trade_no AS "outTradeNo", deliveries, first_at AS "firstAt", last_at AS "lastAt"`

const conditions = ({ outcome, from, to, search }: NotificationFilter): Prisma.Sql =>
  allOfSql(
    outcome && sql`outcome = ${outcome}::notification_outcome`,
    ...withinSql(sql`first_at`, { from, to }),
    search && sql`(id = ${search} OR out_trade_no = ${search.toUpperCase()})`,
  )

/** One page of the inbox. */
export const listNotifications = (
  pool: Pool,
  query: NotificationListQuery,
): Promise<TwoWayPage<NotificationRow>> =>
  readPage(
    pool,
    { sort: sorts[query.sort], asked: query, columns: columnsOf(NotificationRow) },
    ({ position, page }) => sql`
      SELECT ${notificationColumnsSql}, ${position} FROM notifications WHERE ${conditions(query)} AND ${page}`,
  )

/** How many notifications the filters leave: exact up to 10,000. */
export const countNotifications = (pool: Pool, filter: NotificationFilter): Promise<RowCount> =>
  countRows(pool, sql`notifications WHERE ${conditions(filter)}`)
