import {
  type Enrolment,
  type EnrolmentConfirmation,
  needsSecondFactor,
  type RecoveryCodes,
} from '@meridian/contracts'
import { z } from 'zod'
import { type Footprint, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../domain-error.ts'
import { type Secrets, seal, unseal } from '../platform/crypto/seal.ts'
import type { Services } from '../services.ts'
import { forgetSecondFactor } from './forget-second-factor.ts'
import { requireProof } from './prove-identity.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import type { SignedInOperator } from './sign-in.ts'
import { countCode, forgetCodes, refuseCode, totpLabel } from './spend-code.ts'
import { describeTotp, newTotpSecret, stepOfCode } from './totp.ts'

const ticketMinutes = 15
const ticketLabel = (operatorId: string) => `enrolment:${operatorId}`
const Ticket = z.object({ secret: z.string(), until: z.number() })

/** Whoever has a second factor shows it before it is replaced or given up. */
const requireOwnProof = (session: SignedInOperator) => session.enrolled && requireProof(session)

/**
 * Makes a new secret for an authenticator. Nothing is stored: the secret waits in the ticket, so that a second
 * factor in use stays in use until the new one has shown its first code.
 * @throws DomainError step_up_required when a second factor is to be replaced
 */
export function startEnrolment({ config }: Services, session: SignedInOperator): Enrolment {
  requireOwnProof(session)
  const { id, email } = session.operator
  const secret = newTotpSecret()
  const ticket = {
    secret: Buffer.from(secret).toString('base64'),
    until: Date.now() + ticketMinutes * 60_000,
  }
  const sealed = seal(config.DATA_KEY, ticketLabel(id), Buffer.from(JSON.stringify(ticket)))
  return { ...describeTotp(secret, email), ticket: sealed.toString('base64url') }
}

function openTicket(dataKeys: Secrets, operatorId: string, ticket: string): Uint8Array {
  try {
    const plain = unseal(dataKeys, ticketLabel(operatorId), Buffer.from(ticket, 'base64url'))
    const { secret, until } = Ticket.parse(JSON.parse(plain.toString()))
    if (until > Date.now()) return Uint8Array.from(Buffer.from(secret, 'base64'))
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
 * @throws DomainError invalid_code, invalid_request for a stale ticket, step_up_required
 */
export async function confirmEnrolment(
  { database, config, limits }: Services,
  session: SignedInOperator,
  { ticket, code, from }: EnrolmentConfirmation & { from: Footprint },
): Promise<RecoveryCodes> {
  requireOwnProof(session)
  const operatorId = session.operator.id
  const secret = openTicket(config.DATA_KEY, operatorId, ticket)
  await countCode(limits, operatorId)
  const totpStep = stepOfCode(secret, code.replace(/\s/g, ''))
  if (totpStep === null) return refuseCode(database.prisma, operatorId, from)
  await forgetCodes(limits, operatorId)
  const now = new Date()
  const sealedTotp = seal(config.DATA_KEY, totpLabel(operatorId), secret)
  return database.prisma.$transaction(async (db) => {
    await db.operator.update({
      where: { id: operatorId },
      data: { sealedTotp, totpConfirmedAt: now, totpStep },
    })
    await db.operatorSession.updateMany({
      where: { operatorId, id: { not: session.sessionId }, revokedAt: null },
      data: { revokedAt: now },
    })
    await db.operatorSession.update({ where: { id: session.sessionId }, data: { provenAt: now } })
    const subject = { type: 'operator', id: operatorId }
    const before = { second_factor: session.enrolled }
    await writeAudit(
      db,
      { operatorId, action: 'operator.enrol', subject, before, after: { second_factor: true } },
      from,
    )
    return { recoveryCodes: await replaceRecoveryCodes(db, operatorId) }
  })
}

/** New recovery codes; the old ones are worth nothing from now on. */
export async function renewRecoveryCodes(
  { database }: Services,
  { operator }: SignedInOperator,
  from: Footprint,
): Promise<RecoveryCodes> {
  const operatorId = operator.id
  return database.prisma.$transaction(async (db) => {
    const subject = { type: 'operator', id: operatorId }
    await writeAudit(db, { operatorId, action: 'operator.renew_recovery_codes', subject }, from)
    return { recoveryCodes: await replaceRecoveryCodes(db, operatorId) }
  })
}

/**
 * An operator whose role does not need it gives the second factor up.
 * @throws DomainError forbidden for finance and owner
 */
export async function giveUpSecondFactor(
  { database }: Services,
  { operator }: SignedInOperator,
  from: Footprint,
): Promise<void> {
  if (needsSecondFactor(operator.role)) throw new DomainError('forbidden')
  const operatorId = operator.id
  await database.prisma.$transaction(async (db) => {
    await forgetSecondFactor(db, operatorId)
    const subject = { type: 'operator', id: operatorId }
    const change = { before: { second_factor: true }, after: { second_factor: false } }
    await writeAudit(db, { operatorId, action: 'operator.give_up_second_factor', subject, ...change }, from)
  })
}
