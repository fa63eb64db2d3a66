import type { OperatorRole } from '@meridian/contracts'
import type { IdentitySettings } from './identity-settings.ts'

/**
 * What a person's groups make of them: the role of the first pair of the setting whose group they are in; `kept` where
 * no group is mapped, so that roles are given in the console; null where none of their groups has a role.
 */
export function decideRole(
  { roles }: Pick<IdentitySettings, 'roles'>,
  groups: readonly string[],
): OperatorRole | 'kept' | null {
  if (roles.length === 0) return 'kept'
  return roles.find(({ group }) => groups.includes(group))?.role ?? null
}
