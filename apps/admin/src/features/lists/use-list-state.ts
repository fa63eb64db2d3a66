'use client'

import {
  type Nullable,
  type parseAsString,
  type UseQueryStatesKeysMap,
  useQueryStates,
  type Values,
} from 'nuqs'

export type ListState<Params> = {
  params: Params
  /** Whether anything narrows the list. */
  filtered: boolean
  /** Changes filters or order; the list starts again at its first page. */
  change: (changes: Partial<Params>) => void
  /** Takes the filters away. */
  clear: () => void
}

/** Whether one of the parameters is set that are null where nothing narrows the list. */
export const isFiltered = (params: object, noFilters: object): boolean =>
  Object.entries(params).some(([key, value]) => key in noFilters && value !== null)

type ListParsers = UseQueryStatesKeysMap & { cursor: typeof parseAsString }

/** A list's state, kept in the address: reload, share and the back button restore it. */
export function useListState<Parsers extends ListParsers>(
  parsers: Parsers,
  noFilters: Partial<Nullable<Values<Parsers>>> = {},
): ListState<Values<Parsers>> {
  const [params, setParams] = useQueryStates(parsers, { history: 'push' })
  const change = (changes: Partial<Nullable<Values<Parsers>>>) => void setParams({ ...changes, cursor: null })
  return { params, filtered: isFiltered(params, noFilters), change, clear: () => change(noFilters) }
}
