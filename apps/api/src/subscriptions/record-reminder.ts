import { execute, type Pool, Prisma, part, reading, statement } from '@meridian/db'
import { type ClaimedReminder, EXPIRY_TEMPLATE } from './claim-reminders.ts'

const { sql } = Prisma

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
