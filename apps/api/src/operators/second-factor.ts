import { createHash, randomInt } from 'node:crypto'
import { recoveryCodeCount } from '@meridian/contracts'
import { type Database, type Db, Prisma } from '@meridian/db'
import { type RequestMeta, writeAudit } from '../audit/write-audit.ts'
import type { SealedColumn } from '../platform/crypto/data-keys.ts'
import { type Secrets, unseal } from '../platform/crypto/seal.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { type Limits, limitRules } from '../platform/limits/open-limits.ts'
import { transactionTime } from '../platform/time/business-time.ts'
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

type Holder = { operatorId: string; dataKeys: Secrets }

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

/** Crockford's base32, without i, l, o and u: a code is read off paper on a bad day. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** 26 characters of five bits each are 130 bits, in groups for reading. */
const groups = [6, 5, 5, 5, 5]

const newGroup = (length: number) =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
const newCode = () => groups.map(newGroup).join('-')

/** A code without what is there for reading: width and case of letters, spaces, dashes. */
const bareCode = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}]/gu, '')
    .toLowerCase()

/** Of a code as typed; o is taken for 0, i and l for 1. 130 bits need no slow hash (OWASP ASVS 6.5.2 asks for 112). */
const hashOf = (typed: string) => {
  const code = bareCode(typed).replaceAll('o', '0').replace(/[il]/g, '1')
  return Uint8Array.from(createHash('sha256').update(code).digest())
}

/** Gives the operator new codes in place of all earlier ones; nobody can read them again. */
export async function replaceRecoveryCodes(db: Db, operatorId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newCode)
  await db.recoveryCode.deleteMany({ where: { operatorId } })
  await db.recoveryCode.createMany({ data: codes.map((code) => ({ operatorId, codeHash: hashOf(code) })) })
  return codes
}

/** Uses a recovery code up; false when there is none like it any more. */
async function spendRecoveryCode(db: Db, operatorId: string, code: string): Promise<boolean> {
  const { count } = await db.recoveryCode.updateMany({
    where: { operatorId, codeHash: hashOf(code), usedAt: null },
    data: { usedAt: await transactionTime(db) },
  })
  return count === 1
}

/** The secrets of authenticators. */
export const sealedFactors: SealedColumn = {
  what: 'authenticators',
  sourceSql: Prisma.sql`SELECT id::text AS id, sealed_totp AS sealed FROM operators WHERE sealed_totp IS NOT NULL`,
  about: totpLabel,
  replaceSql: ({ id, before, after }) => Prisma.sql`
    UPDATE operators SET sealed_totp = ${after} WHERE id = ${id}::uuid AND sealed_totp = ${before}`,
}

/** Takes authenticator and recovery codes from an operator; no session of theirs stays proven. */
export async function removeSecondFactor(db: Db, operatorId: string): Promise<void> {
  await db.operator.update({
    where: { id: operatorId },
    data: { totpConfirmedAt: null, factorTrustedFrom: null, sealedTotp: null, totpStep: null },
  })
  await db.recoveryCode.deleteMany({ where: { operatorId } })
  await db.operatorSession.updateMany({ where: { operatorId }, data: { provenAt: null } })
}
