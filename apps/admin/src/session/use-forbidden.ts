'use client'

import { mayOperator, OperatorRole, type Permission, permissions } from '@meridian/contracts'
import { useLocale, useTranslations } from 'next-intl'
import { useConsole } from './operator-context.tsx'

/** The roles a permission takes, in the table's order. */
export const rolesWith = (permission: Permission): OperatorRole[] =>
  OperatorRole.options.filter((role) => permissions[permission].some((allowed) => allowed === role))

/** Why the operator may not: the words for their role and for the roles that may; null when they may. */
export function useForbidden(permission: Permission): { role: string; allowed: string } | null {
  const t = useTranslations('shell.roles')
  const language = useLocale()
  const { role } = useConsole().operator
  if (mayOperator(role, permission)) return null
  const words = new Intl.ListFormat(language, { type: 'disjunction' })
  return { role: t(role), allowed: words.format(rolesWith(permission).map((allowed) => t(allowed))) }
}
