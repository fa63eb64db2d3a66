import type { Operator, PasswordChange } from '@meridian/contracts'
import type { Db } from '@meridian/db'
import { type RequestMeta, writeAudit } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { transactionTime } from '../platform/time/business-time.ts'
import type { Services } from '../services.ts'
import { hashPassword, requireGoodPassword } from './passwords.ts'
import { confirmPassword } from './prove-identity.ts'
import { operatorView } from './sessions.ts'
import type { SignedInOperator } from './sign-in.ts'

/** @throws DomainError invalid_request, password_too_common, password_has_name */
async function requireNewPassword({ currentPassword, newPassword }: PasswordChange, email: string) {
  if (currentPassword !== newPassword) return requireGoodPassword(newPassword, email)
  throw new DomainError('invalid_request', {
    errors: [
      { path: 'newPassword', message: { zh: '必须与当前密码不同', en: 'must differ from the current one' } },
    ],
  })
}

type Chosen = { session: SignedInOperator; newHash: string; from: RequestMeta }

async function storePassword(db: Db, { session, newHash, from }: Chosen) {
  const { id } = session.operator
  const now = await transactionTime(db)
  const changed = await db.operator.update({
    where: { id },
    data: { passwordHash: newHash, mustChangePassword: false, passwordExpiresAt: null },
    select: operatorView,
  })
  await db.operatorSession.updateMany({
    where: { operatorId: id, id: { not: session.sessionId }, revokedAt: null },
    data: { revokedAt: now },
  })
  await db.operatorSession.update({
    where: { id: session.sessionId },
    data: { passwordProvenAt: now },
  })
  const subject = { type: 'operator', id }
  await writeAudit(db, { operatorId: id, action: 'operator.change_password', subject }, from)
  return changed
}

/**
 * An operator chooses a new password; their other sessions end.
 * @throws DomainError invalid_credentials when the current password is wrong; rate_limited; invalid_request,
 * password_too_common or password_has_name for the new one
 */
export async function changePassword(
  services: Services,
  session: SignedInOperator,
  { change, from }: { change: PasswordChange; from: RequestMeta },
): Promise<Operator> {
  await confirmPassword(services, session, { password: change.currentPassword, from })
  await requireNewPassword(change, session.operator.email)
  const newHash = await hashPassword(change.newPassword)
  return services.database.prisma.$transaction((db) => storePassword(db, { session, newHash, from }))
}
