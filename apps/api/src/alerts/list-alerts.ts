import {
  type AlertFilter,
  type AlertListQuery,
  alertSeverities,
  ListedAlert,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { z } from 'zod'
import { instantColumn, serialColumn, textColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { type NameView, nicknameOfSql } from '../platform/sql/show-nickname.ts'
import { orderOfAlertSql, ordersOfAlertSql, payerOfAlertSql } from './orders-of-alert.ts'

const { sql } = Prisma

const emailOf = (id: Prisma.Sql) => sql`(SELECT email FROM operators WHERE operators.id = ${id})`

/** The columns of a row, of the table `alerts`. */
export const alertColumnsSql = (names: NameView): Prisma.Sql => sql`
  alerts.id::text, kind, subject, ${orderOfAlertSql} AS "outTradeNo",
  substring(subject FROM 'R[0-9A-Z]{26}') AS "outRefundNo", ${payerOfAlertSql} AS "userId",
  ${nicknameOfSql(payerOfAlertSql, names)} AS customer, detail, times, opened_at AS "openedAt",
  last_at AS "lastAt", ${emailOf(sql`owner_id`)} AS "ownerEmail", ${emailOf(sql`resolved_by`)} AS "resolvedByEmail",
  resolution, resolved_at AS "resolvedAt"`

const criticalKinds = Object.entries(alertSeverities).flatMap(([kind, severity]) =>
  severity === 'critical' ? [kind] : [],
)

/** Whether a row of `alerts` is critical, as a condition: `severityOfAlert` for the database. */
export const criticalAlertSql = sql`(
  alerts.kind = ANY (${criticalKinds}::text[]) AND alerts.detail ->> 'severity' IS DISTINCT FROM 'warning')`

const conditions = ({ state, kind }: AlertFilter): Prisma.Sql => sql`
  ${state === 'open' ? sql`resolved_at IS NULL` : sql`resolved_at IS NOT NULL`}
  AND ${kind ? sql`kind = ${kind}` : sql`TRUE`}`

export const alertsFromSql = (filter: AlertFilter): Prisma.Sql =>
  sql`alerts WHERE ${conditions(filter)} ORDER BY opened_at, id`

/** How many alerts the filters leave: exact up to 10,000. */
export const countAlerts = (pool: Pool, filter: AlertFilter): Promise<RowCount> =>
  countRows(pool, alertsFromSql(filter))

/** Resolved alerts, newest first, out of the index of their age. */
const resolved = {
  sort: { key: instantColumn(sql`opened_at`), id: serialColumn(sql`alerts.id`), descending: true },
  from: (filter: AlertFilter) => sql`alerts WHERE ${conditions(filter)}`,
  isSameOrder: sql`FALSE`,
}

/**
 * Open alerts in groups, one for each order; the group with the oldest alert is first. An alert about two orders puts the
 * alerts of both into one group. `group_key` is the earliest order of any alert that shares an order with this one; an
 * alert without an order is a group by itself. Every page computes the groups of all open alerts: repeats are counted in
 * one row, so there are few (0.2 s at 10,000).
 */
const open = {
  sort: {
    key: instantColumn(sql`alerts.group_since`),
    id: textColumn(
      sql`(alerts.group_key || ' ' || lpad(alerts.id::text, 19, '0')) COLLATE "C"`,
      z.string().max(64),
    ),
    descending: false,
  },
  from: (filter: AlertFilter) => sql`(
    WITH open AS (SELECT alerts.*, ${ordersOfAlertSql} AS orders FROM alerts WHERE ${conditions(filter)}),
    sharing AS (
      SELECT id, min(open.orders[1]) OVER (PARTITION BY number) AS earliest
      FROM open CROSS JOIN unnest(open.orders) number),
    grouped AS (
      SELECT open.*, coalesce(shared.earliest, open.id::text) AS group_key
      FROM open LEFT JOIN (SELECT id, min(earliest) AS earliest FROM sharing GROUP BY id) shared USING (id))
    SELECT grouped.*, min(opened_at) OVER (PARTITION BY group_key) AS group_since,
      row_number() OVER (PARTITION BY group_key ORDER BY id) AS place_in_group
    FROM grouped) alerts WHERE TRUE`,
  isSameOrder: sql`alerts.place_in_group > 1`,
}

/** One page of alerts: open ones by what waits longest, grouped by order; resolved ones newest first. */
export function listAlerts(
  pool: Pool,
  query: AlertListQuery,
  names: NameView,
): Promise<TwoWayPage<ListedAlert>> {
  const { sort, from, isSameOrder } = query.state === 'open' ? open : resolved
  return readPage(
    pool,
    { sort, asked: query, columns: columnsOf(ListedAlert) },
    ({ position, page }) => sql`
      SELECT ${alertColumnsSql(names)}, ${isSameOrder} AS "isSameOrder", ${position}
      FROM ${from(query)} AND ${page}`,
  )
}
