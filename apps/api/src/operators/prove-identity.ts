import { type PasswordProof, proofMinutes } from '@meridian/contracts'
import { type RequestMeta, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import type { Services } from '../services.ts'
import { isPassword, takesPasswordOf } from './passwords.ts'
import { countCode, refuseCode, resetAttempts, spendCode } from './second-factor.ts'
import type { SignedInOperator } from './sign-in.ts'
import { takeAllowance, tracedWhenRefused, traceFailure } from './sign-in-attempts.ts'

type Check = { password: string; from: RequestMeta }

/**
 * A signed-in operator shows their password again: counted like a sign-in, and what fails leaves a trace.
 * @throws DomainError invalid_credentials when it is wrong, rate_limited
 */
export async function confirmPassword(
  services: Services,
  { operator, sessionId }: SignedInOperator,
  { password, from }: Check,
): Promise<void> {
  const { prisma } = services.database
  const attempt = { email: operator.email, from }
  const { known, giveBack } = await takeAllowance(services, attempt)
  const { passwordHash } = await prisma.operator.findUniqueOrThrow({
    where: { id: operator.id },
    select: { passwordHash: true },
  })
  const matches = await tracedWhenRefused(services, attempt, {
    work: () => isPassword(passwordHash, password, { stranger: !known }),
    reason: 'busy',
  })
  if (matches && takesPasswordOf(services.config.identity, operator)) return giveBack()
  await traceFailure(services, attempt, 'wrong_current_password')
  const subject = { type: 'session', id: sessionId }
  await writeAudit(prisma, { operatorId: operator.id, action: 'operator.wrong_password', subject }, from)
  throw new DomainError('invalid_credentials')
}

/** Whether something was shown in the last ten minutes. */
export const isFresh = (provenAt: Date | null, now: Date): boolean =>
  provenAt !== null && now.getTime() - provenAt.getTime() <= proofMinutes * 60_000

/** Whether a second factor stands: ours, or the one of the identity provider that opened this session. */
export const hasFactor = ({
  enrolled,
  identityFactor,
}: Pick<SignedInOperator, 'enrolled' | 'identityFactor'>): boolean => enrolled || identityFactor

/**
 * Lets pass who has shown their second factor in the last ten minutes, where it counts as step-up (SPEC §20, Factors).
 * @throws DomainError second_factor_required when they have none, factor_not_trusted while it is too new,
 * step_up_required when it was shown too long ago
 */
export function requireProof(session: SignedInOperator): void {
  const { provenAt, factorTrustedFrom, at } = session
  if (!hasFactor(session)) throw new DomainError('second_factor_required')
  if (!factorTrustedFrom || factorTrustedFrom > at) throw new DomainError('factor_not_trusted')
  if (!isFresh(provenAt, at)) throw new DomainError('step_up_required')
}

/**
 * Lets pass who has given their password in this session in the last ten minutes, signing in included.
 * @throws DomainError password_required
 */
export function requirePassword({ passwordProvenAt, at }: SignedInOperator): void {
  if (!isFresh(passwordProvenAt, at)) throw new DomainError('password_required')
}

/**
 * A signed-in operator gives their password again: their factor may be set or changed for the next ten minutes.
 * Counts like a sign-in.
 * @throws DomainError invalid_credentials, rate_limited
 */
export async function provePassword(
  services: Services,
  session: SignedInOperator,
  { password, from }: PasswordProof & { from: RequestMeta },
): Promise<void> {
  await confirmPassword(services, session, { password, from })
  const { operator, sessionId } = session
  await services.database.prisma.$transaction(async (db) => {
    const passwordProvenAt = services.runtime.now()
    await db.operatorSession.update({ where: { id: sessionId }, data: { passwordProvenAt } })
    const subject = { type: 'session', id: sessionId }
    await writeAudit(db, { operatorId: operator.id, action: 'operator.prove_password', subject }, from)
  })
}

/**
 * A signed-in operator shows their second factor again; what is guarded is open for the next ten minutes.
 * @throws DomainError second_factor_required, invalid_code, rate_limited
 */
export async function proveIdentity(
  { database, config, limits, runtime }: Services,
  { operator, sessionId, enrolled }: SignedInOperator,
  { code, from }: { code: string; from: RequestMeta },
): Promise<{ provenUntil: Date }> {
  if (!enrolled) throw new DomainError('second_factor_required')
  await countCode(limits, operator.id)
  const provenAt = runtime.now()
  const by = await database.prisma.$transaction(async (db) => {
    const spent = await spendCode(db, { operatorId: operator.id, dataKeys: config.DATA_KEY }, code)
    if (spent === null) return null
    // From now on it is our factor that counts in this session.
    await db.operatorSession.update({
      where: { id: sessionId },
      data: { provenAt, identityFactor: false },
    })
    const subject = { type: 'session', id: sessionId }
    await writeAudit(
      db,
      { operatorId: operator.id, action: 'operator.prove', subject, after: { by: spent } },
      from,
    )
    return spent
  })
  if (by === null) return refuseCode(database.prisma, operator.id, from)
  await resetAttempts(limits, operator.id)
  return { provenUntil: new Date(provenAt.getTime() + proofMinutes * 60_000) }
}
