'use client'

import { type UseQueryStatesKeysMap, useQueryStates } from 'nuqs'
import type { Address } from './address.ts'

export type ListState<Params> = {
  params: Params
  /** Whether anything narrows the list. */
  filtered: boolean
  /** Whether it shows its first page. */
  first: boolean
  /** Changes filters or order; the list starts again at its first page. */
  change: (changes: Partial<Params>) => void
  /** Takes the filters away. */
  clear: () => void
}

/** Whether one of the parameters is set that are null where nothing narrows the list. */
export const isFiltered = (params: object, noFilters: object): boolean =>
  Object.entries(params).some(([key, value]) => key in noFilters && value !== null)

type Kept = { parsers: UseQueryStatesKeysMap; noFilters: object }

/** A list's state, kept in the address: reload, share and the back button restore it. */
export function useListState<Params, Filter>(address: Address<Params, Filter>): ListState<Params>
export function useListState({ parsers, noFilters }: Kept): ListState<object> {
  const [params, set] = useQueryStates(parsers, { history: 'push' })
  const change = (changes: object) => void set({ ...changes, cursor: null })
  return {
    params,
    filtered: isFiltered(params, noFilters),
    first: params['cursor'] === null,
    change,
    clear: () => change(noFilters),
  }
}
