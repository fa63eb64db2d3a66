'use client'

import { useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import { type AuditListParams, auditListParsers, noFilters } from './audit-list-params.ts'

export type AuditListState = {
  params: AuditListParams
  /** Changes filters; the list starts again at its first page. */
  change: (changes: Partial<AuditListParams>) => void
  turnTo: (cursor: string | null) => void
  clear: () => void
}

/** The list's state, kept in the address. */
export function useAuditList(): AuditListState {
  const [params, setParams] = useQueryStates(auditListParsers, { history: 'push' })
  return useMemo(
    () => ({
      params,
      change: (changes) => void setParams({ ...changes, cursor: null }),
      turnTo: (cursor) => void setParams({ cursor }).then(() => scrollTo({ top: 0 })),
      clear: () => void setParams({ ...noFilters, cursor: null }),
    }),
    [params, setParams],
  )
}
