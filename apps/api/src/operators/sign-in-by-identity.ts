import { randomBytes } from 'node:crypto'
import type { IdentityCode, IdentitySignIn, IdentityTicket, OperatorSession } from '@meridian/contracts'
import { networkOf } from '@meridian/contracts/addresses'
import type { Db } from '@meridian/db'
import { z } from 'zod'
import { IdentityRefused, redeemCode, VerifiedIdentity } from '../identity/redeem-code.ts'
import { type Secrets, seal, unseal } from '../platform/crypto/seal.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { limitRules, refuseBeyond } from '../platform/limits/open-limits.ts'
import type { Services } from '../services.ts'
import { type Admission, admitIdentity, findAdmission } from './admit-identity.ts'
import { openSession, type Visit } from './open-session.ts'
import { hashPassword } from './passwords.ts'
import { isFresh } from './prove-identity.ts'
import { revokeAllSessions } from './sessions.ts'
import { enterWithCode, welcome } from './sign-in.ts'
import { traceFailure } from './sign-in-attempts.ts'

/** @throws DomainError not_found where operators sign in by password alone */
export function requireIdentity({ config, identityProvider }: Services) {
  if (!config.identity || !identityProvider) throw new DomainError('not_found')
  return { settings: config.identity, provider: identityProvider }
}

/** Whom nobody knows yet: what did not verify has no name to be traced by. */
const nobody = '?'

const passwordNobodyKnows = () => hashPassword(randomBytes(32).toString('base64url'))

/** @throws DomainError invalid_credentials whatever is wrong with what the browser brought */
async function verify(services: Services, code: IdentityCode, { from }: Visit): Promise<VerifiedIdentity> {
  try {
    return await redeemCode({ ...requireIdentity(services), runtime: services.runtime }, code)
  } catch (error) {
    if (!(error instanceof IdentityRefused)) throw error
    const { message: reason } = error
    services.log.warn({ component: 'identity', reason, reqId: from.requestId }, 'a sign-in did not verify')
    await traceFailure(services, { email: nobody, from }, 'identity_refused')
    throw new DomainError('invalid_credentials')
  }
}

/**
 * Who is bound and whose groups give no role any more has no session left either: the provider says that they are gone.
 * @throws DomainError forbidden whatever the reason: a stranger learns of no account
 */
async function requireAdmission(
  services: Services,
  identity: VerifiedIdentity,
  { from }: Visit,
): Promise<Admission> {
  const { settings } = requireIdentity(services)
  const found = await findAdmission(services.database.prisma, settings, identity)
  if ('admission' in found) return found.admission
  const { gone } = found
  if (gone) await services.database.prisma.$transaction((db) => revokeAllSessions(db, gone))
  await traceFailure(services, { email: found.email ?? nobody, from }, found.refusal)
  throw new DomainError('forbidden')
}

type Entering = { admission: Admission; visit: Visit; unusableHash: string }

/** Where the provider does not say when they signed in there, a first factor may be set up in this session all the same. */
function shownOf({ account, identity }: Admission, now: Date) {
  const hasOwnFactor = account !== null && account.totpConfirmedAt !== null
  const at = identity.authenticatedAt ?? (hasOwnFactor || identity.secondFactor ? null : now)
  return { by: 'identity', at, secondFactor: identity.secondFactor } as const
}

/**
 * Who has a session open in this browser only shows anew who they are: what one operator began in it is never done in the
 * name of another.
 * @throws DomainError forbidden; the session stays as it was
 */
async function requireOwnAccount(
  services: Services,
  { account }: Pick<Admission, 'account'>,
  { before, from }: Visit,
): Promise<void> {
  if (!before || account?.id === before.operator.id) return
  await traceFailure(services, { email: account?.email ?? nobody, from }, 'identity_not_admitted')
  throw new DomainError('forbidden')
}

/**
 * The session that is open gives way only to one that proves as much, by what was shown in the last ten minutes.
 * @throws DomainError step_up_required; the session stays as it was
 */
function requireFreshProof({ before }: Visit, admission: Admission, now: Date): void {
  if (!before) return
  const { at, secondFactor } = shownOf(admission, now)
  const isLess = before.identityFactor && !secondFactor && !admission.account?.totpConfirmedAt
  if (isLess || !isFresh(at, now)) throw new DomainError('step_up_required')
}

const enter =
  ({ runtime }: Services, { admission, visit, unusableHash }: Entering) =>
  async (db: Db, code: 'authenticator' | 'recovery_code' | null): Promise<OperatorSession> => {
    const admitted = await admitIdentity(db, admission, { from: visit.from, unusableHash })
    return openSession(db, { ...admitted, ...visit, code, shown: shownOf(admission, runtime.now()) })
  }

const ticketMinutes = 5
const ticketLabel = 'sign-in by identity'
const Ticket = z.object({ identity: VerifiedIdentity, until: z.number() })

function ticketFor({ config, runtime }: Services, identity: VerifiedIdentity): string {
  const until = runtime.now().getTime() + ticketMinutes * 60_000
  // Somebody may be in hundreds of groups: those that mean nothing here stay behind.
  const groups = identity.groups.filter((group) =>
    config.identity?.roles.some((pair) => pair.group === group),
  )
  const plain = Buffer.from(JSON.stringify({ identity: { ...identity, groups }, until }))
  return seal(config.DATA_KEY, ticketLabel, plain).toString('base64url')
}

function openTicket(dataKeys: Secrets, ticket: string, now: Date): VerifiedIdentity {
  try {
    const plain = unseal(dataKeys, ticketLabel, Buffer.from(ticket, 'base64url'))
    const { identity, until } = Ticket.parse(JSON.parse(plain.toString()))
    if (until > now.getTime()) return identity
  } catch {
    // One answer for whatever is wrong with a ticket.
  }
  throw new DomainError('invalid_credentials')
}

/**
 * Opens a console session for who signed in at the company's identity provider. Whoever has an authenticator of ours gives
 * its code as well, unless the provider says that a second factor was used: then nothing is written before it.
 * @throws DomainError not_found, rate_limited; invalid_credentials, forbidden; service_unavailable while the provider does
 * not answer; changed_meanwhile; step_up_required where a session is open and nothing was shown just now
 */
export async function signInByIdentity(
  services: Services,
  code: IdentityCode,
  visit: Visit,
): Promise<IdentitySignIn> {
  requireIdentity(services)
  const network = networkOf(visit.from.address)
  refuseBeyond(await services.limits.count(limitRules.identitySignIns, network))
  const identity = await verify(services, code, visit)
  const admission = await requireAdmission(services, identity, visit)
  await requireOwnAccount(services, admission, visit)
  requireFreshProof(visit, admission, services.runtime.now())
  await services.limits.giveBack(limitRules.identitySignIns, network)
  if (admission.account?.totpConfirmedAt && !identity.secondFactor)
    return { next: 'code', ticket: ticketFor(services, identity) }
  const open = enter(services, { admission, visit, unusableHash: await passwordNobodyKnows() })
  const session = await services.database.prisma.$transaction((db) => open(db, null))
  welcome(services, session.operator, visit.from)
  return { next: null, session }
}

/**
 * The second step of it: a code of our own second factor.
 * @throws DomainError invalid_credentials for a ticket that is over, forbidden, invalid_code, rate_limited
 */
export async function finishSignIn(
  services: Services,
  { ticket, code }: IdentityTicket,
  visit: Visit,
): Promise<OperatorSession> {
  requireIdentity(services)
  const identity = openTicket(services.config.DATA_KEY, ticket, services.runtime.now())
  const admission = await requireAdmission(services, identity, visit)
  await requireOwnAccount(services, admission, visit)
  if (!admission.account) throw new DomainError('forbidden')
  const { id: operatorId, email } = admission.account
  const open = enter(services, { admission, visit, unusableHash: await passwordNobodyKnows() })
  const attempt = { email, from: visit.from }
  const session = await enterWithCode(services, { operatorId, attempt, code, open })
  welcome(services, session.operator, visit.from)
  return session
}
