import {
  type AlertFilter,
  type AlertListQuery,
  AlertRow,
  alertSeverities,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { byAge, instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'

const { sql } = Prisma

const emailOf = (id: Prisma.Sql) => sql`(SELECT email FROM operators WHERE operators.id = ${id})`

/** The columns of a row, of the table `alerts`. */
export const alertColumnsSql = sql`
  id::text, kind, subject, substring(subject FROM 'M[0-9A-Z]{26}') AS "outTradeNo",
  substring(subject FROM 'R[0-9A-Z]{26}') AS "outRefundNo", detail, times, opened_at AS "openedAt",
  last_at AS "lastAt", ${emailOf(sql`owner_id`)} AS "ownerEmail", ${emailOf(sql`resolved_by`)} AS "resolvedByEmail",
  resolution, resolved_at AS "resolvedAt"`

const criticalKinds = Object.entries(alertSeverities).flatMap(([kind, severity]) =>
  severity === 'critical' ? [kind] : [],
)

/** Whether the alert `a` is critical, as a condition: `severityOfAlert` for the database. */
export const criticalAlertSql = sql`(
  a.kind = ANY (${criticalKinds}::text[]) AND a.detail ->> 'severity' IS DISTINCT FROM 'warning')`

const sorts = byAge({ key: instantColumn(sql`opened_at`), id: serialColumn(sql`alerts.id`) })

const conditions = ({ state, kind }: AlertFilter): Prisma.Sql => sql`
  ${state === 'open' ? sql`resolved_at IS NULL` : sql`resolved_at IS NOT NULL`}
  AND ${kind ? sql`kind = ${kind}` : sql`TRUE`}`

export const alertsFromSql = (filter: AlertFilter): Prisma.Sql =>
  sql`alerts WHERE ${conditions(filter)} ORDER BY opened_at, id`

/** How many alerts the filters leave: exact up to 10,000. */
export const countAlerts = (pool: Pool, filter: AlertFilter): Promise<RowCount> =>
  countRows(pool, alertsFromSql(filter))

/** One page of alerts: open ones oldest first, because they wait; resolved ones newest first. */
export const listAlerts = (pool: Pool, query: AlertListQuery): Promise<TwoWayPage<AlertRow>> =>
  readPage(
    pool,
    {
      sort: query.state === 'open' ? sorts.oldest : sorts.newest,
      asked: query,
      columns: columnsOf(AlertRow),
    },
    ({ position, page }) =>
      sql`SELECT ${alertColumnsSql}, ${position} FROM alerts WHERE ${conditions(query)} AND ${page}`,
  )
