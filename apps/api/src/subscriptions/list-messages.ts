import { MessageAttempt } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { keptSinceSql } from '../platform/time/business-time.ts'
import { EXPIRY_TEMPLATE } from './reminders.ts'

const messageAttemptColumns = columnsOf(MessageAttempt)

type Messages = { remaining: number; items: MessageAttempt[] }

/** How many reminders a user still allows, and the newest twenty messages that were sent to them or refused. */
export async function listMessages(pool: Pool, userId: string): Promise<Messages> {
  const [allowed] = await execute(
    pool,
    query(
      'show-message-permission',
      Prisma.sql`
      SELECT remaining FROM message_permissions WHERE user_id = ${userId}::uuid AND template = ${EXPIRY_TEMPLATE}`,
      { remaining: column.number },
    ),
  )
  const items = await execute(
    pool,
    query(
      'list-messages-of-user',
      Prisma.sql`
      SELECT id::text, kind, failure, at FROM message_attempts WHERE user_id = ${userId}::uuid
      ORDER BY at DESC, id DESC LIMIT 20`,
      messageAttemptColumns,
    ),
  )
  return { remaining: allowed?.remaining ?? 0, items }
}

/** Messages tried long ago, at most so many at once. */
export const purgeMessageAttemptsSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM message_attempts WHERE id IN (
    SELECT id FROM message_attempts WHERE at < ${keptSinceSql('message_attempts')} ORDER BY at LIMIT ${limit})
  RETURNING 1 AS gone`
