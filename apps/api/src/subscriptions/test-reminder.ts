import { type MessageTestResult, StoredMessageTemplate } from '@meridian/contracts'
import {
  column,
  execute,
  json,
  nullable,
  type Pool,
  Prisma,
  part,
  query,
  type RowOf,
  reading,
  statement,
} from '@meridian/db'
import { MiniProgramError } from '@meridian/payments'
import { z } from 'zod'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { remainingDaysSql } from '../platform/time/business-time.ts'
import type { Services } from '../services.ts'
import { settingSql } from '../settings/read-settings.ts'
import { messageData } from './messages.ts'
import { EXPIRY_TEMPLATE, planNameSql, recordAttemptSql } from './reminders.ts'

const { sql } = Prisma

const addresseeColumns = {
  openid: column.text,
  expiresAt: nullable(column.instant),
  remainingDays: column.integer,
  planName: nullable(column.text),
  template: json(z.unknown()),
  isAllowed: column.boolean,
}
type Addressee = RowOf<typeof addresseeColumns>

/** Spends one permission where there is a template and a permission; who tested on whom is kept either way. */
async function claimTest(pool: Pool, userId: string, { operatorId, from }: Actor): Promise<Addressee> {
  const entry = { operatorId, action: 'message.test', subject: { type: 'user', id: userId } }
  const [addressee] = await execute(
    pool,
    statement({
      name: 'claim-test-message',
      parts: [
        part(
          'person',
          [],
          sql`
            SELECT u.id, u.openid, s.expires_at, ${settingSql('message_templates')} -> ${EXPIRY_TEMPLATE}::text AS template,
              ${remainingDaysSql(sql`s.expires_at`)} AS days, ${planNameSql(sql`s`)} AS plan_name
            FROM users u LEFT JOIN subscriptions s ON s.user_id = u.id
            WHERE u.id = ${userId}::uuid AND u.erased_at IS NULL`,
        ),
        part(
          'spent',
          ['person'],
          sql`
            UPDATE message_permissions p SET remaining = remaining - 1, updated_at = business_now() FROM person
            WHERE p.user_id = person.id AND p.template = ${EXPIRY_TEMPLATE} AND p.remaining > 0 AND person.template IS NOT NULL
            RETURNING p.user_id`,
        ),
        part('audited', ['person'], appendAuditSql(sql`person`, entry, from)),
      ],
      select: reading(
        ['person', 'spent'],
        sql`
          SELECT openid, expires_at AS "expiresAt", days AS "remainingDays", plan_name AS "planName", template,
            EXISTS (SELECT 1 FROM spent) AS "isAllowed"
          FROM person`,
      ),
      rows: addresseeColumns,
    }),
  )
  if (!addressee) throw new DomainError('not_found')
  return addressee
}

const recordTest = (pool: Pool, userId: string, failure: string | null) =>
  execute(pool, query('record-test-message', recordAttemptSql({ userId, kind: 'test', failure })))

const giveBack = (pool: Pool, userId: string) =>
  execute(
    pool,
    query(
      'give-permission-back',
      sql`UPDATE message_permissions SET remaining = remaining + 1, updated_at = business_now()
      WHERE user_id = ${userId}::uuid AND template = ${EXPIRY_TEMPLATE}`,
    ),
  )

/**
 * Sends the reminder to one person who allowed it, now: for an owner who wants to see that the template fits. What the
 * platform surely did not send costs the user nothing.
 * @throws DomainError not_found, login_not_configured
 */
export async function testReminder(
  services: Services,
  userId: string,
  actor: Actor,
): Promise<MessageTestResult> {
  const { miniProgram, database, runtime } = services
  const { pool } = database
  if (!miniProgram) throw new DomainError('login_not_configured')
  const { openid, template: stored, isAllowed, ...facts } = await claimTest(pool, userId, actor)
  const template = StoredMessageTemplate.safeParse(stored).data
  if (!template) return { outcome: 'no_template', failure: null }
  if (!isAllowed) return { outcome: 'no_permission', failure: null }
  const expiresAt = facts.expiresAt ?? runtime.now()
  const { id: templateId, page } = template
  const data = messageData(template, { ...facts, expiresAt })
  try {
    await miniProgram.sendSubscribeMessage({ openid, templateId, ...(page && { page }), data })
    await recordTest(pool, userId, null)
    return { outcome: 'sent', failure: null }
  } catch (error) {
    if (!(error instanceof MiniProgramError)) throw error
    const failure = String(error.errcode ?? error.reason)
    if (error.errcode !== null && error.reason !== 'not_subscribed') await giveBack(pool, userId)
    await recordTest(pool, userId, failure)
    return { outcome: 'failed', failure }
  }
}
