import { createHash, randomBytes } from 'node:crypto'
import type { Operator, OperatorSession, SignInRequest } from '@meridian/contracts'
import type { Database } from '@meridian/db'
import { type Footprint, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../domain-error.ts'
import { newId } from '../new-id.ts'
import { operatorView } from './operator-view.ts'
import { hashPassword, isPassword } from './passwords.ts'

const sessionHours = 12
const idleHours = 2
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const hashOf = (token: string) => createHash('sha256').update(token).digest()

const nobody = hashPassword(randomBytes(16).toString('hex'))

async function checkPassword(database: Database, { email, password }: SignInRequest): Promise<Operator> {
  const found = await database.operator.findUnique({
    where: { email: email.toLowerCase() },
    select: { ...operatorView, passwordHash: true, passwordExpiresAt: true, disabledAt: true },
  })
  // An unknown account costs the same time as a known one.
  const matches = await isPassword(found?.passwordHash ?? (await nobody), password)
  if (!found || !matches || found.disabledAt) throw new DomainError('invalid_credentials')
  const { passwordHash: _hash, passwordExpiresAt, disabledAt: _disabled, ...operator } = found
  if (passwordExpiresAt && passwordExpiresAt < new Date()) throw new DomainError('invalid_credentials')
  return operator
}

/**
 * Opens a console session; only the hash of its token is kept.
 * @throws DomainError invalid_credentials, whatever was wrong
 */
export async function signIn(
  database: Database,
  request: SignInRequest,
  from: Footprint,
): Promise<OperatorSession> {
  const operator = await checkPassword(database, request)
  const token = randomBytes(32).toString('base64url')
  const session = {
    id: newId(),
    operatorId: operator.id,
    tokenHash: Uint8Array.from(hashOf(token)),
    address: from.address,
    userAgent: from.userAgent,
    expiresAt: new Date(Date.now() + sessionHours * 3_600_000),
  }
  await database.$transaction(async (db) => {
    await db.operatorSession.create({ data: session })
    await writeAudit(
      db,
      { operatorId: operator.id, action: 'operator.sign_in', subject: { type: 'session', id: session.id } },
      from,
    )
  })
  return { token, expiresAt: session.expiresAt, operator }
}

export type SignedInOperator = { operator: Operator; sessionId: string }

/** Who a session token belongs to, while the session lives: 12 hours, two of them idle at most. */
export async function findSession(database: Database, token: string): Promise<SignedInOperator | null> {
  const session = await database.operatorSession.findUnique({
    where: {
      tokenHash: Uint8Array.from(hashOf(token)),
      revokedAt: null,
      expiresAt: { gt: new Date() },
      lastSeenAt: { gt: hoursAgo(idleHours) },
      operator: { disabledAt: null },
    },
    select: { id: true, lastSeenAt: true, operator: { select: operatorView } },
  })
  if (!session) return null
  const staleAfterMs = 60_000
  if (Date.now() - session.lastSeenAt.getTime() > staleAfterMs)
    await database.operatorSession.update({ where: { id: session.id }, data: { lastSeenAt: new Date() } })
  return { operator: session.operator, sessionId: session.id }
}

/** Ends a session; its token is worth nothing from now on. */
export async function signOut(database: Database, session: SignedInOperator, from: Footprint): Promise<void> {
  const { operator, sessionId } = session
  await database.$transaction(async (db) => {
    await db.operatorSession.update({ where: { id: sessionId }, data: { revokedAt: new Date() } })
    await writeAudit(
      db,
      { operatorId: operator.id, action: 'operator.sign_out', subject: { type: 'session', id: sessionId } },
      from,
    )
  })
}
