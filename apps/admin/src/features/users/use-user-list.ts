'use client'

import { useQueryStates } from 'nuqs'
import { useCallback, useMemo } from 'react'
import { noFilters, type UserListParams, userListParsers } from './user-list-params.ts'

export type UserListState = {
  params: UserListParams
  /** Changes filters or order; the list starts again at its first page. */
  change: (changes: Partial<UserListParams>) => void
  turnTo: (cursor: string | null) => void
  clear: () => void
}

/** The list's state, kept in the address. */
export function useUserList(): UserListState {
  const [params, setParams] = useQueryStates(userListParsers, { history: 'push' })
  const change = useCallback(
    (changes: Partial<UserListParams>) => void setParams({ ...changes, cursor: null }),
    [setParams],
  )
  const turnTo = useCallback(
    (cursor: string | null) => void setParams({ cursor }).then(() => scrollTo({ top: 0 })),
    [setParams],
  )
  const clear = useCallback(() => void setParams({ ...noFilters, cursor: null }), [setParams])
  return useMemo(() => ({ params, change, turnTo, clear }), [params, change, turnTo, clear])
}
