import {
  NotificationDetail,
  NotificationOutcomeEntry,
  type NotificationPayload,
  type PayloadRequest,
} from '@meridian/contracts'
import { column, execute, json, type Pool, Prisma, part, query, reading, statement } from '@meridian/db'
import { z } from 'zod'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { masked } from '../platform/log/open-log.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { notificationColumnsSql } from './list-notifications.ts'

const detailColumns = columnsOf(NotificationDetail.omit({ outcomes: true }))

const notificationOutcomeEntryColumns = columnsOf(NotificationOutcomeEntry)

const { sql } = Prisma

/** Whose account, which card: what names a person. */
const personal = /openid|account|phone|real_name/i

/** A payload in which the identifiers of people are shown in part only. */
export function maskedPayload(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => maskedPayload(item, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, maskedPayload(part, name)]))
  return typeof value === 'string' && personal.test(key) ? masked(value) : value
}

const shownOutcomes = 50

/** What became of it each time, newest first. */
const outcomesOf = (pool: Pool, id: string): Promise<NotificationOutcomeEntry[]> =>
  execute(
    pool,
    query(
      'list-notification-outcomes',
      sql`
      SELECT id::text, at, outcome, replayed, detail FROM notification_outcomes WHERE notification_id = ${id}
      ORDER BY notification_outcomes.id DESC LIMIT ${shownOutcomes}`,
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
