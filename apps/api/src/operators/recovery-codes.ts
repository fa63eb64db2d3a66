import { createHash, randomInt } from 'node:crypto'
import { recoveryCodeCount } from '@meridian/contracts'
import type { Db } from '@meridian/db'
import { transactionTime } from '../platform/time/instants.ts'

/** Crockford's base32, without i, l, o and u: a code is read off paper on a bad day. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** 26 characters of five bits each are 130 bits, in groups for reading. */
const groups = [6, 5, 5, 5, 5]

const newGroup = (length: number) =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
const newCode = () => groups.map(newGroup).join('-')

/** A code without what is there for reading: width and case of letters, spaces, dashes. */
export const bareCode = (typed: string): string =>
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
export async function spendRecoveryCode(db: Db, operatorId: string, code: string): Promise<boolean> {
  const { count } = await db.recoveryCode.updateMany({
    where: { operatorId, codeHash: hashOf(code), usedAt: null },
    data: { usedAt: await transactionTime(db) },
  })
  return count === 1
}
