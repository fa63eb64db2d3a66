import { RevealedUser, type SessionEnd, type UserAction } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, part, reading, statement } from '@meridian/db'
import { type Actor, appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'

const { sql } = Prisma

const revealedUserColumns = columnsOf(RevealedUser)

const outcomeColumns = { known: column.boolean, changed: column.boolean }

/** Changes one user and writes the audit entry in the same statement; what is so already is somebody else's act. */
async function act(
  pool: Pool,
  { id, reason }: UserAction,
  { action, change, actor }: { action: string; change: Prisma.Sql; actor: Actor },
): Promise<void> {
  const { operatorId, from } = actor
  const entry = { operatorId, action, subject: { type: 'user', id }, after: { reason } }
  const [outcome] = await execute(
    pool,
    statement({
      name: action,
      parts: [
        part('changed', [], sql`${change} RETURNING id`),
        part('audited', ['changed'], appendAuditSql(sql`changed`, entry, from)),
      ],
      select: reading(
        ['changed'],
        sql`SELECT EXISTS (SELECT 1 FROM users WHERE id = ${id}::uuid) AS known, EXISTS (SELECT 1 FROM changed) AS changed`,
      ),
      rows: outcomeColumns,
    }),
  )
  if (!outcome?.known) throw new DomainError('not_found')
  if (!outcome.changed) throw new DomainError('changed_meanwhile')
}

/**
 * Refuses a user from now on, whatever their tokens say.
 * @throws DomainError not_found, changed_meanwhile
 */
export const disableUser = (pool: Pool, order: UserAction, actor: Actor): Promise<void> =>
  act(pool, order, {
    action: 'user.disable',
    change: sql`UPDATE users SET disabled_at = business_now() WHERE id = ${order.id}::uuid AND disabled_at IS NULL`,
    actor,
  })

/**
 * Lets a user in again.
 * @throws DomainError not_found, changed_meanwhile
 */
export const enableUser = (pool: Pool, order: UserAction, actor: Actor): Promise<void> =>
  act(pool, order, {
    action: 'user.enable',
    change: sql`UPDATE users SET disabled_at = NULL WHERE id = ${order.id}::uuid AND disabled_at IS NOT NULL`,
    actor,
  })

/** Ends one session of a user, or all of them: none can be renewed. Answers how many it ended. */
export async function endSessions(
  pool: Pool,
  { id, sessionId = null }: { id: string; sessionId?: SessionEnd['sessionId'] | null },
  { operatorId, from }: Actor,
): Promise<number> {
  const after = { session: sessionId ?? 'all' }
  const entry = { operatorId, action: 'user.end_sessions', subject: { type: 'user', id }, after }
  const [ended] = await execute(
    pool,
    statement({
      name: 'end-sessions-of-user',
      parts: [
        part(
          'ended',
          [],
          sql`
            UPDATE token_families SET revoked_at = business_now()
            WHERE user_id = ${id}::uuid AND revoked_at IS NULL AND (${sessionId}::uuid IS NULL OR id = ${sessionId}::uuid)
            RETURNING id`,
        ),
        part('audited', ['ended'], appendAuditSql(sql`(SELECT 1 FROM ended LIMIT 1) once`, entry, from)),
      ],
      select: reading(['ended'], sql`SELECT count(*)::int AS count FROM ended`),
      rows: { count: column.number },
    }),
  )
  return ended?.count ?? 0
}

/**
 * Who a user is to the platform, unmasked; the audit log keeps who looked and why, never what they saw.
 * @throws DomainError not_found
 */
export async function revealUser(
  pool: Pool,
  { id, reason }: UserAction,
  { operatorId, from }: Actor,
): Promise<RevealedUser> {
  const entry = { operatorId, action: 'user.reveal', subject: { type: 'user', id }, after: { reason } }
  const [user] = await execute(
    pool,
    statement({
      name: 'reveal-user',
      parts: [
        part(
          'seen',
          [],
          sql`SELECT id, openid, nickname FROM users WHERE id = ${id}::uuid AND erased_at IS NULL`,
        ),
        part('audited', ['seen'], appendAuditSql(sql`seen`, entry, from)),
      ],
      select: reading(['seen'], sql`SELECT openid, nickname FROM seen`),
      rows: revealedUserColumns,
    }),
  )
  if (!user) throw new DomainError('not_found')
  return user
}
