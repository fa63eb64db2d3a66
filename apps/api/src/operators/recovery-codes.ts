import { createHash, randomInt } from 'node:crypto'
import { recoveryCodeCount } from '@meridian/contracts'
import type { Db } from '@meridian/db'

/** Without look-alikes: a code is read off paper on a bad day. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

const newGroup = () =>
  Array.from({ length: groupLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
const newCode = () => Array.from({ length: groups }, newGroup).join('-')

/** Of a code as typed: case, spaces and dashes do not matter. About 79 bits need no slow hash. */
const hashOf = (code: string) =>
  Uint8Array.from(createHash('sha256').update(code.replace(/[\s-]/g, '').toLowerCase()).digest())

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
    data: { usedAt: new Date() },
  })
  return count === 1
}
