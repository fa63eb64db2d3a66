import {
  type Enrolment,
  type EnrolmentConfirmation,
  needsSecondFactor,
  type RecoveryCodes,
} from '@meridian/contracts'
import { z } from 'zod'
import { type RequestMeta, writeAudit } from '../audit/write-audit.ts'
import { type Secrets, seal, unseal } from '../platform/crypto/seal.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'
import { requirePassword, requireProof } from './prove-identity.ts'
import {
  countCode,
  refuseCode,
  removeSecondFactor,
  replaceRecoveryCodes,
  resetAttempts,
  totpLabel,
} from './second-factor.ts'
import type { SignedInOperator } from './sign-in.ts'
import { describeTotp, newTotpSecret, stepOfCode } from './totp.ts'
import { raiseFactorChanged, trustedFrom } from './trust-factor.ts'

const ticketMinutes = 15
const ticketLabel = (operatorId: string) => `enrolment:${operatorId}`
const Ticket = z.object({ secret: z.string(), until: z.number() })

/** Setting a second factor takes the password; replacing one also takes the one in use. */
function requireOwnProof(session: SignedInOperator): void {
  if (session.enrolled) requireProof(session)
  requirePassword(session)
}

/**
 * Makes a new secret for an authenticator. Nothing is stored: the secret waits in the ticket, so that a second
 * factor in use stays in use until the new one has shown its first code.
 * @throws DomainError password_required; step_up_required, factor_not_trusted when one is to be replaced
 */
export function startEnrolment({ config }: Services, session: SignedInOperator): Enrolment {
  requireOwnProof(session)
  const { id, email } = session.operator
  const secret = newTotpSecret()
  const ticket = {
    secret: Buffer.from(secret).toString('base64'),
    until: session.at.getTime() + ticketMinutes * 60_000,
  }
  const sealed = seal(config.DATA_KEY, ticketLabel(id), Buffer.from(JSON.stringify(ticket)))
  return { ...describeTotp(secret, email), ticket: sealed.toString('base64url') }
}

function openTicket(dataKeys: Secrets, { operator, at }: SignedInOperator, ticket: string): Uint8Array {
  try {
    const plain = unseal(dataKeys, ticketLabel(operator.id), Buffer.from(ticket, 'base64url'))
    const { secret, until } = Ticket.parse(JSON.parse(plain.toString()))
    if (until > at.getTime()) return Uint8Array.from(Buffer.from(secret, 'base64'))
  } catch {
    // One answer for whatever is wrong with a ticket.
  }
  throw new DomainError('invalid_request', {
    errors: [
      { path: 'ticket', message: { zh: '已失效，请重新开始', en: 'is not valid any more: start again' } },
    ],
  })
}

/**
 * The authenticator shows its first code: it counts from now on, the operator's other sessions end.
 * @throws DomainError invalid_code, invalid_request for a stale ticket, and as startEnrolment
 */
export async function confirmEnrolment(
  { database, config, limits }: Services,
  session: SignedInOperator,
  { ticket, code, from }: EnrolmentConfirmation & { from: RequestMeta },
): Promise<RecoveryCodes> {
  requireOwnProof(session)
  const operatorId = session.operator.id
  const secret = openTicket(config.DATA_KEY, session, ticket)
  await countCode(limits, operatorId)
  const totpStep = stepOfCode(secret, code.replace(/\s/g, ''))
  if (totpStep === null) return refuseCode(database.prisma, operatorId, from)
  await resetAttempts(limits, operatorId)
  const now = session.at
  const factorTrustedFrom = trustedFrom(session)
  const sealedTotp = seal(config.DATA_KEY, totpLabel(operatorId), secret)
  return database.prisma.$transaction(async (db) => {
    await db.operator.update({
      where: { id: operatorId },
      data: { sealedTotp, totpConfirmedAt: now, factorTrustedFrom, totpStep },
    })
    await db.operatorSession.updateMany({
      where: { operatorId, id: { not: session.sessionId }, revokedAt: null },
      data: { revokedAt: now },
    })
    await db.operatorSession.update({
      where: { id: session.sessionId },
      data: { provenAt: now, identityFactor: false },
    })
    const subject = { type: 'operator', id: operatorId }
    const before = { second_factor: session.enrolled }
    const after = { second_factor: true, counts_from: factorTrustedFrom.toISOString() }
    await writeAudit(db, { operatorId, action: 'operator.enrol', subject, before, after }, from)
    await raiseFactorChanged(db, operatorId, session.enrolled ? 'replaced' : 'set')
    return { recoveryCodes: await replaceRecoveryCodes(db, operatorId) }
  })
}

/**
 * New recovery codes; the old ones are worth nothing from now on. It is told like any other change of the factor.
 * @throws DomainError second_factor_required where no authenticator of ours is set up, password_required
 */
export async function renewRecoveryCodes(
  { database }: Services,
  session: SignedInOperator,
  from: RequestMeta,
): Promise<RecoveryCodes> {
  if (!session.enrolled) throw new DomainError('second_factor_required')
  requirePassword(session)
  const operatorId = session.operator.id
  return database.prisma.$transaction(async (db) => {
    const subject = { type: 'operator', id: operatorId }
    await writeAudit(db, { operatorId, action: 'operator.renew_recovery_codes', subject }, from)
    await raiseFactorChanged(db, operatorId, 'codes_renewed')
    return { recoveryCodes: await replaceRecoveryCodes(db, operatorId) }
  })
}

/**
 * An operator whose role does not need it gives the second factor up.
 * @throws DomainError forbidden for everybody but viewers, password_required
 */
export async function giveUpSecondFactor(
  { database }: Services,
  session: SignedInOperator,
  from: RequestMeta,
): Promise<void> {
  const { operator } = session
  if (needsSecondFactor(operator.role)) throw new DomainError('forbidden')
  requirePassword(session)
  const operatorId = operator.id
  await database.prisma.$transaction(async (db) => {
    await removeSecondFactor(db, operatorId)
    await raiseFactorChanged(db, operatorId, 'given_up')
    const subject = { type: 'operator', id: operatorId }
    const change = { before: { second_factor: true }, after: { second_factor: false } }
    await writeAudit(db, { operatorId, action: 'operator.give_up_second_factor', subject, ...change }, from)
  })
}
