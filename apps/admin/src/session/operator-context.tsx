'use client'

import {
  type ConsoleContext,
  mayOperator,
  type OperatorRole,
  operatorRoles,
  type Permission,
  permissions,
} from '@meridian/contracts'
import { useLocale, useTranslations } from 'next-intl'
import { createContext, type ReactNode, use } from 'react'
import { TableOwner } from '../ui/data-table/table-layout.ts'
import { ClockProvider } from '../ui/date-time.tsx'

const Context = createContext<ConsoleContext | null>(null)

export function OperatorProvider({ value, children }: { value: ConsoleContext; children: ReactNode }) {
  return (
    <Context value={value}>
      <ClockProvider aheadMs={value.clockAheadMs}>
        <TableOwner value={value.operator.id}>{children}</TableOwner>
      </ClockProvider>
    </Context>
  )
}

/** Who is signed in, and to what kind of payment platform. Only below the console's layout. */
export function useConsole(): ConsoleContext {
  const value = use(Context)
  if (!value) throw new Error('useConsole was called outside the console')
  return value
}

/** The roles a permission takes, in the table's order. */
export const rolesWith = (permission: Permission): OperatorRole[] =>
  operatorRoles.filter((role) => permissions[permission].some((allowed) => allowed === role))

/** The words for an operator's role and for the roles that may what theirs may not. */
export type Forbidden = { role: string; allowed: string }

/** Why the operator may not; null when they may, or when it takes no permission. */
export function useForbidden(permission: Permission | null): Forbidden | null {
  const t = useTranslations('shell.roles')
  const language = useLocale()
  const { role } = useConsole().operator
  if (permission === null || mayOperator(role, permission)) return null
  const words = new Intl.ListFormat(language, { type: 'disjunction' })
  return { role: t(role), allowed: words.format(rolesWith(permission).map((allowed) => t(allowed))) }
}
