import {
  column,
  execute,
  json,
  nullable,
  type Pool,
  Prisma,
  part,
  type RowOf,
  reading,
  statement,
} from '@meridian/db'
import { z } from 'zod'
import { remainingDaysSql } from '../platform/time/business-time.ts'
import { settingSql } from '../settings/read-settings.ts'
import { currentPurchaseSql } from './unused-days.ts'

const { sql } = Prisma

/** The name under which the template of this message stands in the setting and in what users allow. */
export const EXPIRY_TEMPLATE = 'expiry_reminder'

const claimedColumns = {
  userId: column.text,
  expiresAt: column.instant,
  daysBefore: column.integer,
  remainingDays: column.integer,
  openid: column.text,
  /** As it is stored. */
  template: json(z.unknown()),
  planName: nullable(column.text),
}
export type ClaimedReminder = RowOf<typeof claimedColumns>

const batch = 20

/** The plan whose days end, of a relation with user_id and expires_at. */
export const planNameSql = (of: Prisma.Sql): Prisma.Sql =>
  currentPurchaseSql(sql`purchase.plan_name`, {
    userId: sql`${of}.user_id`,
    expiresAt: sql`${of}.expires_at`,
  })

const due = part(
  'due',
  ['template', 'days'],
  sql`
    SELECT s.user_id, s.expires_at, nearest.before, u.openid, template.stored AS template
    FROM template, subscriptions s
      JOIN users u ON u.id = s.user_id AND u.disabled_at IS NULL AND u.erased_at IS NULL
      JOIN message_permissions p ON p.user_id = s.user_id AND p.template = ${EXPIRY_TEMPLATE} AND p.remaining > 0,
      LATERAL (SELECT min(before) AS before FROM days WHERE s.expires_at <= business_now() + before * interval '24 hours') nearest
    WHERE template.stored IS NOT NULL AND s.expires_at > business_now()
      AND s.expires_at <= business_now() + (SELECT max(before) FROM days) * interval '24 hours'
      AND NOT EXISTS (SELECT 1 FROM reminders r WHERE r.user_id = s.user_id AND r.expires_at = s.expires_at
        AND r.days_before = nearest.before)
    ORDER BY s.expires_at, s.user_id LIMIT ${batch}::int FOR UPDATE OF p SKIP LOCKED`,
)

/**
 * Claims reminders that are due: the row comes before the message, so that nobody is reminded twice, and one
 * permission is spent with it. Of several days that are due at once only the nearest one is told.
 */
export const claimReminders = (pool: Pool): Promise<ClaimedReminder[]> =>
  execute(
    pool,
    statement({
      name: 'claim-reminders',
      parts: [
        part(
          'template',
          [],
          sql`SELECT ${settingSql('message_templates')} -> ${EXPIRY_TEMPLATE}::text AS stored`,
        ),
        part(
          'days',
          [],
          sql`SELECT value::int AS before FROM jsonb_array_elements_text(${settingSql('expiry_reminder_days')})`,
        ),
        due,
        part(
          'claimed',
          ['due'],
          sql`
            INSERT INTO reminders (user_id, expires_at, days_before) SELECT user_id, expires_at, before FROM due
            ON CONFLICT DO NOTHING RETURNING user_id, expires_at, days_before`,
        ),
        part(
          'spent',
          ['claimed'],
          sql`
            UPDATE message_permissions p SET remaining = remaining - 1, updated_at = business_now() FROM claimed c
            WHERE p.user_id = c.user_id AND p.template = ${EXPIRY_TEMPLATE}`,
        ),
      ],
      select: reading(
        ['due', 'claimed'],
        sql`
          SELECT c.user_id AS "userId", c.expires_at AS "expiresAt", c.days_before AS "daysBefore", d.openid,
            d.template, ${remainingDaysSql(sql`c.expires_at`)} AS "remainingDays",
            ${planNameSql(sql`c`)} AS "planName"
          FROM claimed c JOIN due d USING (user_id, expires_at)`,
      ),
      rows: claimedColumns,
    }),
  )

type Attempt = { userId: string; kind: 'reminder' | 'test'; failure: string | null }

/** One message that was tried, as an insert. */
export const recordAttemptSql = ({ userId, kind, failure }: Attempt): Prisma.Sql => sql`
  INSERT INTO message_attempts (user_id, template, kind, failure)
  SELECT id, ${EXPIRY_TEMPLATE}, ${kind}, ${failure} FROM users WHERE id = ${userId}::uuid AND erased_at IS NULL`

const reminded = (userId: string, failure: string | null) =>
  recordAttemptSql({ userId, kind: 'reminder', failure })

const sameReminder = ({ userId, expiresAt, daysBefore }: ClaimedReminder): Prisma.Sql =>
  sql`user_id = ${userId}::uuid AND expires_at = ${expiresAt}::timestamptz AND days_before = ${daysBefore}::int`

export const recordSent = (pool: Pool, reminder: ClaimedReminder) =>
  execute(
    pool,
    statement({
      name: 'record-reminder-sent',
      parts: [part('attempted', [], reminded(reminder.userId, null))],
      select: reading([], sql`UPDATE reminders SET sent_at = business_now() WHERE ${sameReminder(reminder)}`),
    }),
  )

/** It was not sent, or nobody knows: never again. Where the user takes no more of them, the count is emptied. */
export const recordNotSent = (
  pool: Pool,
  reminder: ClaimedReminder,
  { failure, refused }: { failure: string; refused: boolean },
) =>
  execute(
    pool,
    statement({
      name: 'record-reminder-not-sent',
      parts: [
        part(
          'emptied',
          [],
          sql`
            UPDATE message_permissions SET remaining = 0, updated_at = business_now()
            WHERE ${refused}::boolean AND user_id = ${reminder.userId}::uuid AND template = ${EXPIRY_TEMPLATE}`,
        ),
        part('attempted', [], reminded(reminder.userId, failure)),
      ],
      select: reading([], sql`UPDATE reminders SET failure = ${failure} WHERE ${sameReminder(reminder)}`),
    }),
  )

/** The platform surely did not send it and would do so another time: as if it had not been claimed. */
export const releaseReminder = (pool: Pool, reminder: ClaimedReminder, failure: string) =>
  execute(
    pool,
    statement({
      name: 'release-reminder',
      parts: [
        part('released', [], sql`DELETE FROM reminders WHERE ${sameReminder(reminder)} RETURNING user_id`),
        part('attempted', [], reminded(reminder.userId, failure)),
      ],
      select: reading(
        ['released'],
        sql`
          UPDATE message_permissions p SET remaining = remaining + 1, updated_at = business_now() FROM released r
          WHERE p.user_id = r.user_id AND p.template = ${EXPIRY_TEMPLATE}`,
      ),
    }),
  )
