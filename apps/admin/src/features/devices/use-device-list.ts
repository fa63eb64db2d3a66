'use client'

import { useQueryStates } from 'nuqs'
import { useCallback, useMemo } from 'react'
import { type DeviceListParams, deviceListParsers, noFilters } from './device-list-params.ts'

export type DeviceListState = {
  params: DeviceListParams
  /** Changes filters or order; the list starts again at its first page. */
  change: (changes: Partial<DeviceListParams>) => void
  turnTo: (cursor: string | null) => void
  clear: () => void
}

/** The list's state, kept in the address. */
export function useDeviceList(): DeviceListState {
  const [params, setParams] = useQueryStates(deviceListParsers, { history: 'push' })
  const change = useCallback(
    (changes: Partial<DeviceListParams>) => void setParams({ ...changes, cursor: null }),
    [setParams],
  )
  const turnTo = useCallback(
    (cursor: string | null) => void setParams({ cursor }).then(() => scrollTo({ top: 0 })),
    [setParams],
  )
  const clear = useCallback(() => void setParams({ ...noFilters, cursor: null }), [setParams])
  return useMemo(() => ({ params, change, turnTo, clear }), [params, change, turnTo, clear])
}
