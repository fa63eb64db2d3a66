import { guardedPermissions, mayOperator, needsSecondFactor, type Permission } from '@meridian/contracts'
import { requireProof } from '../../operators/prove-identity.ts'
import type { SignedInOperator } from '../../operators/sign-in.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'

/** @throws DomainError second_factor_required where the role takes one and none is set up */
export function requireSecondFactor({ operator, enrolled }: SignedInOperator): void {
  if (needsSecondFactor(operator.role) && !enrolled) throw new DomainError('second_factor_required')
}

/** @throws DomainError forbidden where the role may not */
export function requireRole({ operator }: SignedInOperator, permission: Permission): void {
  if (!mayOperator(operator.role, permission)) throw new DomainError('forbidden')
}

/** @throws DomainError forbidden; step_up_required where the permission is guarded and no proof is fresh */
export function requirePermission(session: SignedInOperator, permission: Permission): void {
  requireRole(session, permission)
  if (guardedPermissions.includes(permission)) requireProof(session)
}
