import { createHash, randomBytes } from 'node:crypto'
import type { Operator, OperatorSession, SignInFailureReason, SignInRequest } from '@meridian/contracts'
import type { Database, Db } from '@meridian/db'
import { type RequestMeta, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newId } from '../platform/ids/new-id.ts'
import { logSecurityEvent } from '../platform/log.ts'
import { transactionTime } from '../platform/time/business-time.ts'
import type { Services } from '../services.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { countCode, refuseCode, resetAttempts, spendCode } from './second-factor.ts'
import { isLive, operatorView } from './sessions.ts'
import { type Attempt, takeAllowance, tracedWhenRefused, traceFailure } from './sign-in-attempts.ts'

const sessionHours = 12
const hashOf = (token: string) => createHash('sha256').update(token).digest()

const dummyHash = hashPassword(randomBytes(16).toString('hex'))

const accountView = {
  ...operatorView,
  passwordHash: true,
  passwordExpiresAt: true,
  disabledAt: true,
  totpConfirmedAt: true,
  firstSignedInAt: true,
} as const

type Account = { disabledAt: Date | null; passwordExpiresAt: Date | null }

type Judged = { found: Account | null; matches: boolean; now: Date }

function refusalOf({ found, matches, now }: Judged): SignInFailureReason | null {
  if (!found) return 'unknown_account'
  if (!matches) return 'wrong_password'
  if (found.disabledAt) return 'account_disabled'
  return found.passwordExpiresAt && found.passwordExpiresAt < now ? 'password_expired' : null
}

/**
 * Whose password this is.
 * @throws DomainError invalid_credentials whatever was wrong, rate_limited
 */
async function checkPassword(
  services: Services,
  { email, password }: SignInRequest,
  { attempt, stranger }: { attempt: Attempt; stranger: boolean },
) {
  const found = await services.database.prisma.operator.findUnique({
    where: { email: email.toLowerCase() },
    select: accountView,
  })
  // An unknown account costs the same time as a known one.
  const passwordHash = found?.passwordHash ?? (await dummyHash)
  const matches = await tracedWhenRefused(services, attempt, {
    work: () => isPassword(passwordHash, password, { stranger }),
    reason: 'busy',
  })
  const refusal = refusalOf({ found, matches, now: services.runtime.now() })
  if (refusal) await traceFailure(services, attempt, refusal)
  if (refusal || !found) throw new DomainError('invalid_credentials')
  const { id, email: address, name, role, mustChangePassword, totpConfirmedAt, firstSignedInAt } = found
  const operator = { id, email: address, name, role, mustChangePassword }
  return { operator, enrolled: totpConfirmedAt !== null, isFirst: firstSignedInAt === null }
}

/** From where somebody signs in, and whose session their browser had until now. */
export type Visit = { from: RequestMeta; before: SignedInOperator | null }

type Opening = {
  operator: Operator
  /** Whether they never signed in before. */
  isFirst: boolean
  by: 'password' | 'authenticator' | 'recovery_code'
} & Visit

async function openSession(
  db: Db,
  { operator, isFirst, by, from, before }: Opening,
): Promise<OperatorSession> {
  const token = randomBytes(32).toString('base64url')
  const now = await transactionTime(db)
  const session = {
    id: newId(),
    operatorId: operator.id,
    tokenHash: Uint8Array.from(hashOf(token)),
    address: from.address,
    userAgent: from.userAgent,
    expiresAt: new Date(now.getTime() + sessionHours * 3_600_000),
    provenAt: by === 'password' ? null : now,
    passwordProvenAt: now,
    trustsNewFactor: isFirst || operator.mustChangePassword,
  }
  if (before) await endSession(db, before, from)
  await db.operatorSession.create({ data: session })
  if (isFirst) await db.operator.update({ where: { id: operator.id }, data: { firstSignedInAt: now } })
  const subject = { type: 'session', id: session.id }
  await writeAudit(db, { operatorId: operator.id, action: 'operator.sign_in', subject, after: { by } }, from)
  return { token, expiresAt: session.expiresAt, operator }
}

type Entry = { opening: Omit<Opening, 'by'>; attempt: Attempt; code: string }

/** A session for who has shown the password, by a code of their second factor. */
async function enterWithCode(
  services: Services,
  { opening, attempt, code }: Entry,
): Promise<OperatorSession> {
  const { database, config, limits } = services
  const { operator } = opening
  await tracedWhenRefused(services, attempt, {
    work: () => countCode(limits, operator.id),
    reason: 'rate_limited',
  })
  const holder = { operatorId: operator.id, dataKeys: config.DATA_KEY }
  const session = await database.prisma.$transaction(async (db) => {
    const by = await spendCode(db, holder, code)
    return by && openSession(db, { ...opening, by })
  })
  if (session === null) {
    await traceFailure(services, attempt, 'wrong_code')
    return refuseCode(database.prisma, operator.id, attempt.from)
  }
  await resetAttempts(limits, operator.id)
  return session
}

/**
 * Opens a console session; only the hash of its token is kept. Who has a second factor gives a code as well:
 * without one the answer to the right password is code_required. What fails is counted and leaves a trace. What succeeds
 * ends the session that the same browser had before (ASVS 7.2.4).
 * @throws DomainError invalid_credentials whatever was wrong, code_required, invalid_code, rate_limited
 */
export async function signIn(
  services: Services,
  request: SignInRequest,
  visit: Visit,
): Promise<OperatorSession> {
  const { from } = visit
  const attempt = { email: request.email, from }
  const { known, giveBack } = await takeAllowance(services, attempt)
  const { operator, enrolled, isFirst } = await checkPassword(services, request, {
    attempt,
    stranger: !known,
  })
  const opening = { operator, isFirst, ...visit }
  const { code } = request
  if (enrolled && code === undefined) {
    await giveBack()
    throw new DomainError('code_required')
  }
  const session =
    enrolled && code !== undefined
      ? await enterWithCode(services, { opening, attempt, code })
      : await services.database.prisma.$transaction((db) => openSession(db, { ...opening, by: 'password' }))
  await giveBack()
  services.knownAddresses.add({ email: operator.email, address: from.address })
  logSecurityEvent(services.log, 'sign_in', {
    operator: operator.id,
    address: from.address,
    requestId: from.requestId,
  })
  return session
}

export type SignedInOperator = {
  operator: Operator
  sessionId: string
  /** When this was looked up: whatever depends on time is judged by it. */
  at: Date
  /** Whether they have a second factor, and when this session last showed it. */
  enrolled: boolean
  provenAt: Date | null
  /** From when their second factor counts as step-up. */
  factorTrustedFrom: Date | null
  /** When this session last showed the password, and whether a factor set up in it counts at once. */
  passwordProvenAt: Date | null
  trustsNewFactor: boolean
  /** When this session last wrote; known only where there is a replica to read from. */
  wroteAt: Date | null
  /** Since when this session shows the names of users; null where they are masked. */
  namesRevealedAt: Date | null
}

/** Who a session token belongs to, while the session lives: 12 hours, two of them idle at most. */
export async function findSession(
  { database: { prisma }, runtime, reads, databaseState }: Services,
  token: string,
): Promise<SignedInOperator | null> {
  const now = runtime.now()
  const session = await prisma.operatorSession.findUnique({
    where: {
      tokenHash: Uint8Array.from(hashOf(token)),
      ...isLive(now),
      operator: { disabledAt: null },
    },
    select: {
      id: true,
      lastSeenAt: true,
      provenAt: true,
      passwordProvenAt: true,
      trustsNewFactor: true,
      wroteAt: true,
      namesRevealedAt: true,
      operator: { select: { ...operatorView, totpConfirmedAt: true, factorTrustedFrom: true } },
    },
  })
  if (!session) return null
  const staleAfterMs = 60_000
  const isStale = now.getTime() - session.lastSeenAt.getTime() > staleAfterMs
  if (isStale && databaseState.takesWrites() && !reads.isOnReplica())
    await prisma.operatorSession.update({ where: { id: session.id }, data: { lastSeenAt: now } })
  const { totpConfirmedAt, factorTrustedFrom, ...operator } = session.operator
  return {
    operator,
    sessionId: session.id,
    at: now,
    enrolled: totpConfirmedAt !== null,
    provenAt: session.provenAt,
    factorTrustedFrom,
    passwordProvenAt: session.passwordProvenAt,
    trustsNewFactor: session.trustsNewFactor,
    wroteAt: session.wroteAt,
    namesRevealedAt: session.namesRevealedAt,
  }
}

async function endSession(
  db: Db,
  { operator, sessionId }: SignedInOperator,
  from: RequestMeta,
): Promise<void> {
  const revokedAt = await transactionTime(db)
  await db.operatorSession.update({ where: { id: sessionId }, data: { revokedAt } })
  const subject = { type: 'session', id: sessionId }
  await writeAudit(db, { operatorId: operator.id, action: 'operator.sign_out', subject }, from)
}

/** Ends a session; its token is worth nothing from now on. */
export const signOut = (database: Database, session: SignedInOperator, from: RequestMeta): Promise<void> =>
  database.$transaction((db) => endSession(db, session, from))
