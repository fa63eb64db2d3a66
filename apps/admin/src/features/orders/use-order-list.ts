'use client'

import { useQueryStates } from 'nuqs'
import { useCallback, useMemo } from 'react'
import { noFilters, type OrderListParams, orderListParsers } from './order-list-params.ts'

export type OrderListState = {
  params: OrderListParams
  /** Changes filters or order; the list starts again at its first page. */
  change: (changes: Partial<OrderListParams>) => void
  turnTo: (cursor: string | null) => void
  clear: () => void
}

/** The list's state, kept in the address: reload, share and the back button restore it. */
export function useOrderList(): OrderListState {
  const [params, setParams] = useQueryStates(orderListParsers, { history: 'push' })
  const change = useCallback(
    (changes: Partial<OrderListParams>) => void setParams({ ...changes, cursor: null }),
    [setParams],
  )
  const turnTo = useCallback(
    (cursor: string | null) => void setParams({ cursor }).then(() => scrollTo({ top: 0 })),
    [setParams],
  )
  const clear = useCallback(() => void setParams({ ...noFilters, cursor: null }), [setParams])
  return useMemo(() => ({ params, change, turnTo, clear }), [params, change, turnTo, clear])
}
