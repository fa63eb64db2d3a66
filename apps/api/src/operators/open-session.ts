import { createHash, randomBytes } from 'node:crypto'
import type { Operator, OperatorSession } from '@meridian/contracts'
import type { Db } from '@meridian/db'
import { type RequestMeta, writeAudit } from '../audit/write-audit.ts'
import { newId } from '../platform/ids/new-id.ts'
import { transactionTime } from '../platform/time/business-time.ts'

const sessionHours = 12

/** By what a session is found; its token is kept nowhere. */
export const hashOfToken = (token: string) => Uint8Array.from(createHash('sha256').update(token).digest())

/** A session that a browser has, whose it is, and whether the second factor of the identity provider opened it. */
export type OwnSession = { operator: Operator; sessionId: string; identityFactor: boolean }

/** From where somebody signs in, and whose session their browser had until now. */
export type Visit = { from: RequestMeta; before: OwnSession | null }

/** What somebody showed beside a code of their second factor. */
export type Shown =
  | { by: 'password' }
  | {
      by: 'identity'
      /** When they showed who they are at the provider; null where it does not say. */
      at: Date | null
      /** Whether the provider says that a second factor was used. */
      secondFactor: boolean
    }

export type Opening = {
  operator: Operator
  /** Whether a factor set up in this session counts at once. */
  trustsNewFactor: boolean
  /** Whether they never signed in before. */
  isFirst: boolean
  shown: Shown
  /** The code of ours they gave as well. */
  code: 'authenticator' | 'recovery_code' | null
} & Visit

const earlier = (one: Date | null, other: Date): Date | null => one && (one < other ? one : other)

/**
 * Since when password and second factor count as shown. What a provider says counts from when it was shown there; a
 * provider that does not say when gives no step-up.
 */
function proofsOf({ shown, code }: Opening, now: Date) {
  if (shown.by === 'password') return { passwordProvenAt: now, provenAt: code && now, identityFactor: false }
  const passwordProvenAt = earlier(shown.at, now)
  const identityFactor = code === null && shown.secondFactor
  return { passwordProvenAt, provenAt: identityFactor ? passwordProvenAt : code && now, identityFactor }
}

/** Opens a session in place of the one the browser had before (ASVS 7.2.4). */
export async function openSession(db: Db, opening: Opening): Promise<OperatorSession> {
  const { operator, isFirst, trustsNewFactor, shown, code, from, before } = opening
  const token = randomBytes(32).toString('base64url')
  const now = await transactionTime(db)
  const session = {
    id: newId(),
    operatorId: operator.id,
    tokenHash: hashOfToken(token),
    address: from.address,
    userAgent: from.userAgent,
    expiresAt: new Date(now.getTime() + sessionHours * 3_600_000),
    ...proofsOf(opening, now),
    trustsNewFactor,
  }
  if (before) await endSession(db, before, from)
  await db.operatorSession.create({ data: session })
  if (isFirst) await db.operator.update({ where: { id: operator.id }, data: { firstSignedInAt: now } })
  const subject = { type: 'session', id: session.id }
  const after = { by: code ?? shown.by, ...(shown.by === 'identity' && { identity: true }) }
  await writeAudit(db, { operatorId: operator.id, action: 'operator.sign_in', subject, after }, from)
  return { token, expiresAt: session.expiresAt, operator }
}

export async function endSession(
  db: Db,
  { operator, sessionId }: OwnSession,
  from: RequestMeta,
): Promise<void> {
  const revokedAt = await transactionTime(db)
  await db.operatorSession.update({ where: { id: sessionId }, data: { revokedAt } })
  const subject = { type: 'session', id: sessionId }
  await writeAudit(db, { operatorId: operator.id, action: 'operator.sign_out', subject }, from)
}
