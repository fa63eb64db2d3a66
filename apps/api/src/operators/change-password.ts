import type { Operator, PasswordChange } from '@meridian/contracts'
import type { Database } from '@meridian/db'
import { type Footprint, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../domain-error.ts'
import { operatorView } from './operator-view.ts'
import { hashPassword, isPassword } from './passwords.ts'
import type { SignedInOperator } from './sign-in.ts'

/**
 * An operator chooses a new password; their other sessions end.
 * @throws DomainError invalid_credentials when the current password is wrong
 */
export async function changePassword(
  database: Database,
  { operator, sessionId }: SignedInOperator,
  { change, from }: { change: PasswordChange; from: Footprint },
): Promise<Operator> {
  const { passwordHash } = await database.operator.findUniqueOrThrow({
    where: { id: operator.id },
    select: { passwordHash: true },
  })
  if (!(await isPassword(passwordHash, change.currentPassword))) throw new DomainError('invalid_credentials')
  if (change.currentPassword === change.newPassword)
    throw new DomainError('invalid_request', {
      errors: [
        {
          path: 'newPassword',
          message: { zh: '必须与当前密码不同', en: 'must differ from the current one' },
        },
      ],
    })
  const newHash = await hashPassword(change.newPassword)
  return database.$transaction(async (db) => {
    const changed = await db.operator.update({
      where: { id: operator.id },
      data: { passwordHash: newHash, mustChangePassword: false, passwordExpiresAt: null },
      select: operatorView,
    })
    await db.operatorSession.updateMany({
      where: { operatorId: operator.id, id: { not: sessionId }, revokedAt: null },
      data: { revokedAt: new Date() },
    })
    await db.operatorSession.update({ where: { id: sessionId }, data: { passwordProvenAt: new Date() } })
    await writeAudit(
      db,
      {
        operatorId: operator.id,
        action: 'operator.change_password',
        subject: { type: 'operator', id: operator.id },
      },
      from,
    )
    return changed
  })
}
