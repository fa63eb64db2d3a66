import type { Operator, SessionView } from '@meridian/contracts'
import { type Database, type Db, Prisma } from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { keptSinceSql, transactionTime } from '../platform/time/business-time.ts'

/** The columns of an operator that leave the API. */
export const operatorView = {
  id: true,
  email: true,
  name: true,
  role: true,
  mustChangePassword: true,
} satisfies Prisma.OperatorSelect & Record<keyof Operator, true>

const idleHours = 2

/** A session opens something while it was not ended, is not over, and was used in the last two hours. */
export const isLive = (now: Date) => ({
  revokedAt: null,
  expiresAt: { gt: now },
  lastSeenAt: { gt: new Date(now.getTime() - idleHours * 3_600_000) },
})

const shownSessions = 50

const sessionView = {
  id: true,
  address: true,
  userAgent: true,
  createdAt: true,
  lastSeenAt: true,
  expiresAt: true,
} as const

/** The open sessions of an operator, the most recently used first. */
export async function listSessions(
  db: Db,
  { operatorId, currentSessionId, now }: { operatorId: string; currentSessionId: string; now: Date },
): Promise<SessionView[]> {
  const sessions = await db.operatorSession.findMany({
    where: { operatorId, ...isLive(now) },
    select: sessionView,
    orderBy: { lastSeenAt: 'desc' },
    take: shownSessions,
  })
  return sessions.map((session) => ({ ...session, isCurrent: session.id === currentSessionId }))
}

/**
 * Ends a session, one's own or, for an owner, somebody else's; its token is worth nothing from now on.
 * @throws DomainError not_found when no such session of that operator is open
 */
export async function revokeSession(
  database: Database,
  { operatorId, sessionId }: { operatorId?: string; sessionId: string },
  actor: Actor,
): Promise<void> {
  await database.$transaction(async (db) => {
    const where = { id: sessionId, revokedAt: null, ...(operatorId && { operatorId }) }
    const revokedAt = await transactionTime(db)
    const { count } = await db.operatorSession.updateMany({ where, data: { revokedAt } })
    if (count === 0) throw new DomainError('not_found')
    const subject = { type: 'session', id: sessionId }
    await writeAudit(
      db,
      { operatorId: actor.operatorId, action: 'operator.revoke_session', subject },
      actor.from,
    )
  })
}

/** Ends every session of an operator. */
export async function revokeAllSessions(db: Db, operatorId: string): Promise<void> {
  await db.operatorSession.updateMany({
    where: { operatorId, revokedAt: null },
    data: { revokedAt: await transactionTime(db) },
  })
}

/** Sessions of operators that ended long ago, at most so many at once; the audit log outlives them. */
export const purgeSessionsSql = (limit: number): Prisma.Sql => Prisma.sql`
  DELETE FROM operator_sessions WHERE id IN (
    SELECT id FROM operator_sessions WHERE expires_at < ${keptSinceSql('operator_sessions')} ORDER BY expires_at LIMIT ${limit})
  RETURNING 1 AS gone`
