'use client'

import { parseAsString, useQueryStates } from 'nuqs'
import { parseAsRowsPerPage, type RowsPerPage } from './rows-per-page.ts'

/** How long a page of the list is, kept in the address; another length starts again at the first page. */
export function useRowsPerPage(usual: RowsPerPage) {
  const [{ limit }, set] = useQueryStates(
    { limit: parseAsRowsPerPage.withDefault(usual), cursor: parseAsString },
    { history: 'push' },
  )
  return [limit, (next: RowsPerPage) => void set({ limit: next, cursor: null })] as const
}
