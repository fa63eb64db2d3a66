'use client'

import { useQueryStates } from 'nuqs'
import { useCallback, useMemo } from 'react'
import { noFilters, type ReportListParams, reportListParsers } from './report-list-params.ts'

export type ReportListState = {
  params: ReportListParams
  /** Changes filters or order; the list starts again at its first page. */
  change: (changes: Partial<ReportListParams>) => void
  turnTo: (cursor: string | null) => void
  clear: () => void
}

/** The list's state, kept in the address. */
export function useReportList(): ReportListState {
  const [params, setParams] = useQueryStates(reportListParsers, { history: 'push' })
  const change = useCallback(
    (changes: Partial<ReportListParams>) => void setParams({ ...changes, cursor: null }),
    [setParams],
  )
  const turnTo = useCallback(
    (cursor: string | null) => void setParams({ cursor }).then(() => scrollTo({ top: 0 })),
    [setParams],
  )
  const clear = useCallback(() => void setParams({ ...noFilters, cursor: null }), [setParams])
  return useMemo(() => ({ params, change, turnTo, clear }), [params, change, turnTo, clear])
}
