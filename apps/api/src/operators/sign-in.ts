import { randomBytes } from 'node:crypto'
import type { Operator, OperatorSession, SignInFailureReason, SignInRequest } from '@meridian/contracts'
import type { Database, Db } from '@meridian/db'
import type { RequestMeta } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { logSecurityEvent } from '../platform/log.ts'
import type { Services } from '../services.ts'
import { endSession, hashOfToken, type OwnSession, openSession, type Visit } from './open-session.ts'
import { hashPassword, isPassword, takesPasswordOf } from './passwords.ts'
import { countCode, refuseCode, resetAttempts, spendCode } from './second-factor.ts'
import { isLive, operatorView } from './sessions.ts'
import { type Attempt, takeAllowance, tracedWhenRefused, traceFailure } from './sign-in-attempts.ts'

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

type Judged = { found: Account | null; matches: boolean; taken: boolean; now: Date }

function refusalOf({ found, matches, taken, now }: Judged): SignInFailureReason | null {
  if (!taken) return 'passwords_off'
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
  const taken = takesPasswordOf(services.config.identity, { email, role: found?.role })
  const refusal = refusalOf({ found, matches, taken, now: services.runtime.now() })
  if (refusal) await traceFailure(services, attempt, refusal)
  if (refusal || !found) throw new DomainError('invalid_credentials')
  const { id, email: address, name, role, mustChangePassword, totpConfirmedAt, firstSignedInAt } = found
  const operator = { id, email: address, name, role, mustChangePassword }
  return { operator, enrolled: totpConfirmedAt !== null, isFirst: firstSignedInAt === null }
}

type Entry = {
  operatorId: string
  attempt: Attempt
  code: string
  /** Opens the session in the transaction that spends the code. */
  open: (db: Db, code: 'authenticator' | 'recovery_code') => Promise<OperatorSession>
}

/**
 * A session for who has shown the password, or who they are at the company, by a code of their second factor.
 * @throws DomainError invalid_code, rate_limited
 */
export async function enterWithCode(
  services: Services,
  { operatorId, attempt, code, open }: Entry,
): Promise<OperatorSession> {
  const { database, config, limits } = services
  await tracedWhenRefused(services, attempt, {
    work: () => countCode(limits, operatorId),
    reason: 'rate_limited',
  })
  const session = await database.prisma.$transaction(async (db) => {
    const by = await spendCode(db, { operatorId, dataKeys: config.DATA_KEY }, code)
    return by && open(db, by)
  })
  if (session === null) {
    await traceFailure(services, attempt, 'wrong_code')
    return refuseCode(database.prisma, operatorId, attempt.from)
  }
  await resetAttempts(limits, operatorId)
  return session
}

/** What is remembered and told of who has just come in. */
export function welcome({ knownAddresses, log }: Services, operator: Operator, from: RequestMeta): void {
  const { address, requestId } = from
  knownAddresses.add({ email: operator.email, address })
  logSecurityEvent(log, 'sign_in', { operator: operator.id, address, requestId })
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
  const shown = { by: 'password' } as const
  const trustsNewFactor = isFirst || operator.mustChangePassword
  const opening = { operator, isFirst, trustsNewFactor, shown, ...visit }
  const { code } = request
  if (enrolled && code === undefined) {
    await giveBack()
    throw new DomainError('code_required')
  }
  const session =
    enrolled && code !== undefined
      ? await enterWithCode(services, {
          ...{ operatorId: operator.id, attempt, code },
          open: (db, by) => openSession(db, { ...opening, code: by }),
        })
      : await services.database.prisma.$transaction((db) => openSession(db, { ...opening, code: null }))
  await giveBack()
  welcome(services, operator, from)
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
  /** Whether the identity provider said that a second factor was used: then ours was not asked for. */
  identityFactor: boolean
  /** Whether they are bound to the company's identity. */
  bound: boolean
  /** From when the second factor of this session counts as step-up. */
  factorTrustedFrom: Date | null
  /** When this session last showed the password, and whether a factor set up in it counts at once. */
  passwordProvenAt: Date | null
  trustsNewFactor: boolean
  /** When this session last wrote; known only where there is a replica to read from. */
  wroteAt: Date | null
  /** Since when this session shows the names of users; null where they are masked. */
  namesRevealedAt: Date | null
}

const sessionView = {
  id: true,
  lastSeenAt: true,
  provenAt: true,
  identityFactor: true,
  passwordProvenAt: true,
  trustsNewFactor: true,
  wroteAt: true,
  namesRevealedAt: true,
  operator: {
    select: {
      ...operatorView,
      totpConfirmedAt: true,
      factorTrustedFrom: true,
      identityTrustedFrom: true,
      identitySubject: true,
    },
  },
} as const

/** Who a session token belongs to, while the session lives: 12 hours, two of them idle at most. */
export async function findSession(
  { database: { prisma }, runtime, reads, databaseState }: Services,
  token: string,
): Promise<SignedInOperator | null> {
  const now = runtime.now()
  const session = await prisma.operatorSession.findUnique({
    where: {
      tokenHash: hashOfToken(token),
      ...isLive(now),
      operator: { disabledAt: null },
    },
    select: sessionView,
  })
  if (!session) return null
  const staleAfterMs = 60_000
  const isStale = now.getTime() - session.lastSeenAt.getTime() > staleAfterMs
  if (isStale && databaseState.takesWrites() && !reads.isOnReplica())
    await prisma.operatorSession.update({ where: { id: session.id }, data: { lastSeenAt: now } })
  const { totpConfirmedAt, factorTrustedFrom, identityTrustedFrom, identitySubject, ...operator } =
    session.operator
  return {
    operator,
    sessionId: session.id,
    at: now,
    enrolled: totpConfirmedAt !== null,
    provenAt: session.provenAt,
    identityFactor: session.identityFactor,
    bound: identitySubject !== null,
    factorTrustedFrom: session.identityFactor ? identityTrustedFrom : factorTrustedFrom,
    passwordProvenAt: session.passwordProvenAt,
    trustsNewFactor: session.trustsNewFactor,
    wroteAt: session.wroteAt,
    namesRevealedAt: session.namesRevealedAt,
  }
}

/** Ends a session; its token is worth nothing from now on. */
export const signOut = (database: Database, session: OwnSession, from: RequestMeta): Promise<void> =>
  database.$transaction((db) => endSession(db, session, from))
