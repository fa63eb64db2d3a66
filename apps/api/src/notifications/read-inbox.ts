import {
  NotificationDetail,
  type NotificationFilter,
  type NotificationListQuery,
  NotificationOutcomeEntry,
  type NotificationPayload,
  NotificationRow,
  type PayloadRequest,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { column, execute, json, type Pool, Prisma, part, query, reading, statement } from '@meridian/db'
import type { HeaderBag } from '@meridian/payments'
import { z } from 'zod'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { masked } from '../platform/log.ts'
import { byAge, instantColumn, textColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql, withinSql } from '../platform/sql/conditions.ts'

const { sql } = Prisma

const sorts = byAge({
  key: instantColumn(sql`first_at`),
  id: textColumn(sql`id`, z.string().min(1).max(128)),
})

const notificationColumnsSql = sql`
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

const detailColumns = columnsOf(NotificationDetail.omit({ outcomes: true }))

const notificationOutcomeEntryColumns = columnsOf(NotificationOutcomeEntry)

/** Whose account, which card: what names a person. */
const personal = /openid|account|phone|real_name/i

/** A payload in which the identifiers of people are shown in part only. */
function maskedPayload(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => maskedPayload(item, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, maskedPayload(part, name)]))
  return typeof value === 'string' && personal.test(key) ? masked(value) : value
}

const shownOutcomes = 50

/** What became of it each time, newest first; the first time may stand in the notification itself. */
const outcomesOf = (pool: Pool, id: string): Promise<NotificationOutcomeEntry[]> =>
  execute(
    pool,
    query(
      'list-notification-outcomes',
      sql`
      SELECT line::text AS id, at, outcome, replayed, detail FROM (
        SELECT id AS line, at, outcome, replayed, detail FROM notification_outcomes WHERE notification_id = ${id}
        UNION ALL
        SELECT 0, first_at, first_outcome, FALSE, '{}' FROM notifications WHERE id = ${id} AND first_outcome IS NOT NULL) outcomes
      ORDER BY line DESC LIMIT ${shownOutcomes}`,
      notificationOutcomeEntryColumns,
    ),
  )

/**
 * One notification of the inbox, with the identifiers of people masked.
 * @throws DomainError not_found
 */
export async function showNotification(pool: Pool, id: string): Promise<NotificationDetail> {
  const [row] = await execute(
    pool,
    query(
      'show-notification',
      sql`
      SELECT ${notificationColumnsSql}, serial, headers, detail, payload, octet_length(body) AS "bodyBytes"
      FROM notifications WHERE id = ${id}`,
      detailColumns,
    ),
  )
  if (!row) throw new DomainError('not_found')
  return { ...row, payload: maskedPayload(row.payload), outcomes: await outcomesOf(pool, id) }
}

type Reveal = PayloadRequest & Actor

/**
 * The bytes as they came and what was in them; who looked and why is kept.
 * @throws DomainError not_found
 */
export async function revealPayload(
  pool: Pool,
  { id, reason, operatorId, from }: Reveal,
): Promise<NotificationPayload> {
  const entry = {
    operatorId,
    action: 'notification.payload',
    subject: { type: 'notification', id },
    after: { reason },
  }
  const [row] = await execute(
    pool,
    statement({
      name: 'reveal-payload',
      parts: [
        part('shown', [], sql`SELECT body, payload FROM notifications WHERE id = ${id}`),
        part('audited', ['shown'], appendAuditSql(sql`shown`, entry, from)),
      ],
      select: reading(['shown'], sql`SELECT * FROM shown`),
      rows: { body: column.bytes, payload: json(z.unknown()) },
    }),
  )
  if (!row) throw new DomainError('not_found')
  return { body: row.body.toString('utf8'), payload: row.payload }
}

const Headers = z.record(z.string(), z.union([z.string(), z.array(z.string())])).catch({})

const storedColumns = {
  serial: column.text,
  headers: json(z.unknown()),
  body: column.bytes,
  receivedAt: column.instant,
}

/** A notification as it was kept: the bytes of its first delivery. */
type StoredNotification = { serial: string; headers: HeaderBag; body: Buffer; receivedAt: Date }

/**
 * What the inbox holds under an id of the platform.
 * @throws DomainError not_found
 */
export async function getStoredNotification(pool: Pool, id: string): Promise<StoredNotification> {
  const [row] = await execute(
    pool,
    query(
      'get-stored-notification',
      Prisma.sql`SELECT serial, headers, body, first_at AS "receivedAt" FROM notifications WHERE id = ${id}`,
      storedColumns,
    ),
  )
  if (!row) throw new DomainError('not_found')
  return { ...row, headers: Headers.parse(row.headers) }
}

const unknownPushColumns = { number: column.text, payload: json(z.unknown()) }

/** A push about a number that nobody here knows, while that is all that is known of it. */
export async function findUnknownPush(pool: Pool, id: string) {
  const [push] = await execute(
    pool,
    query(
      'find-unknown-push',
      sql`SELECT out_trade_no AS number, payload FROM notifications
        WHERE id = ${id} AND outcome = 'order_unknown' AND out_trade_no IS NOT NULL`,
      unknownPushColumns,
    ),
  )
  return push ?? null
}
