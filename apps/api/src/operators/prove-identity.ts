import { type PasswordProof, proofMinutes } from '@meridian/contracts'
import { networkOf } from '@meridian/contracts/addresses'
import { type Footprint, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../domain-error.ts'
import { limitRules } from '../platform/limits/limit-rules.ts'
import type { Services } from '../services.ts'
import { isPassword } from './passwords.ts'
import type { SignedInOperator } from './sign-in.ts'
import { countCode, forgetCodes, refuseCode, spendCode } from './spend-code.ts'

const isFresh = (provenAt: Date | null): boolean =>
  provenAt !== null && Date.now() - provenAt.getTime() <= proofMinutes * 60_000

/**
 * Lets pass who has shown their second factor in the last ten minutes, where it counts as step-up (SPEC §20, Factors).
 * @throws DomainError second_factor_required when they have none, factor_not_trusted while it is too new,
 * step_up_required when it was shown too long ago
 */
export function requireProof({ enrolled, provenAt, factorTrustedFrom }: SignedInOperator): void {
  if (!enrolled) throw new DomainError('second_factor_required')
  if (!factorTrustedFrom || factorTrustedFrom > new Date()) throw new DomainError('factor_not_trusted')
  if (!isFresh(provenAt)) throw new DomainError('step_up_required')
}

/**
 * Lets pass who has given their password in this session in the last ten minutes, signing in included.
 * @throws DomainError password_required
 */
export function requirePassword({ passwordProvenAt }: SignedInOperator): void {
  if (!isFresh(passwordProvenAt)) throw new DomainError('password_required')
}

/**
 * A signed-in operator gives their password again: their factor may be set or changed for the next ten minutes.
 * Counts like a sign-in.
 * @throws DomainError invalid_credentials, rate_limited
 */
export async function provePassword(
  { database: { prisma }, limits }: Services,
  { operator, sessionId }: SignedInOperator,
  { password, from }: PasswordProof & { from: Footprint },
): Promise<void> {
  const { id: operatorId, email } = operator
  await limits.spend(limitRules.signIns, `${email} ${networkOf(from.address)}`)
  const { passwordHash } = await prisma.operator.findUniqueOrThrow({
    where: { id: operatorId },
    select: { passwordHash: true },
  })
  const isRight = await isPassword(passwordHash, password)
  const action = isRight ? 'operator.prove_password' : 'operator.wrong_password'
  await prisma.$transaction(async (db) => {
    if (isRight)
      await db.operatorSession.update({ where: { id: sessionId }, data: { passwordProvenAt: new Date() } })
    await writeAudit(db, { operatorId, action, subject: { type: 'session', id: sessionId } }, from)
  })
  if (!isRight) throw new DomainError('invalid_credentials')
}

/**
 * A signed-in operator shows their second factor again; what is guarded is open for the next ten minutes.
 * @throws DomainError second_factor_required, invalid_code, rate_limited
 */
export async function proveIdentity(
  { database, config, limits }: Services,
  { operator, sessionId, enrolled }: SignedInOperator,
  { code, from }: { code: string; from: Footprint },
): Promise<{ provenUntil: Date }> {
  if (!enrolled) throw new DomainError('second_factor_required')
  await countCode(limits, operator.id)
  const provenAt = new Date()
  const by = await database.prisma.$transaction(async (db) => {
    const spent = await spendCode(db, { operatorId: operator.id, dataKeys: config.DATA_KEY }, code)
    if (spent === null) return null
    await db.operatorSession.update({ where: { id: sessionId }, data: { provenAt } })
    const subject = { type: 'session', id: sessionId }
    await writeAudit(
      db,
      { operatorId: operator.id, action: 'operator.prove', subject, after: { by: spent } },
      from,
    )
    return spent
  })
  if (by === null) return refuseCode(database.prisma, operator.id, from)
  await forgetCodes(limits, operator.id)
  return { provenUntil: new Date(provenAt.getTime() + proofMinutes * 60_000) }
}
