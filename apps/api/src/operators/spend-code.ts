import type { Database, Db } from '@meridian/db'
import { type RequestMeta, writeAudit } from '../audit/write-audit.ts'
import { type Secrets, unseal } from '../platform/crypto/seal.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { limitRules } from '../platform/limits/limit-rules.ts'
import type { Limits } from '../platform/limits/open-limits.ts'
import { bareCode, spendRecoveryCode } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'

/**
 * Counts an attempt with a code, before it is looked at.
 * @throws DomainError rate_limited
 */
export const countCode = (limits: Limits, operatorId: string): Promise<void> =>
  limits.spend(limitRules.codes, operatorId)

/** A right code takes the wrong ones before it off the count. */
export const resetAttempts = (limits: Limits, operatorId: string): Promise<void> =>
  limits.clear(limitRules.codes, operatorId)

export const totpLabel = (operatorId: string) => `totp:${operatorId}`

async function spendTotpCode(db: Db, { operatorId, dataKeys }: Holder, code: string): Promise<boolean> {
  const found = await db.operator.findUnique({
    where: { id: operatorId, totpConfirmedAt: { not: null } },
    select: { sealedTotp: true },
  })
  if (!found?.sealedTotp) return false
  const step = stepOfCode(unseal(dataKeys, totpLabel(operatorId), found.sealedTotp), code)
  if (step === null) return false
  // Guarded: of two uses of one code, also at the same instant, one wins.
  const { count } = await db.operator.updateMany({
    where: { id: operatorId, OR: [{ totpStep: null }, { totpStep: { lt: step } }] },
    data: { totpStep: step },
  })
  return count === 1
}

export type Holder = { operatorId: string; dataKeys: Secrets }

/** Uses up a code of the authenticator, or a recovery code. Answers which it was; null when it is worth nothing. */
export async function spendCode(
  db: Db,
  holder: Holder,
  code: string,
): Promise<'authenticator' | 'recovery_code' | null> {
  const plain = bareCode(code)
  if (/^\d{6}$/.test(plain)) return (await spendTotpCode(db, holder, plain)) ? 'authenticator' : null
  return (await spendRecoveryCode(db, holder.operatorId, plain)) ? 'recovery_code' : null
}

/**
 * Leaves a trace that somebody who knows the password had a wrong code.
 * @throws DomainError invalid_code, always
 */
export async function refuseCode(database: Database, operatorId: string, from: RequestMeta): Promise<never> {
  const subject = { type: 'operator', id: operatorId }
  await writeAudit(database, { operatorId, action: 'operator.wrong_code', subject }, from)
  throw new DomainError('invalid_code')
}
