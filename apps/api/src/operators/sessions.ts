import type { SessionView } from '@meridian/contracts'
import type { Database, Db } from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { transactionTime } from '../platform/time/instants.ts'
import { isLive } from './live-session.ts'

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
