'use client'

import { parseAsString, useQueryStates } from 'nuqs'
import { parseAsRowsPerPage } from './rows-per-page.ts'

/** How long a page of the list is, kept in the address; another length starts again at the first page. */
export function useRowsPerPage() {
  const [{ limit }, set] = useQueryStates(
    { limit: parseAsRowsPerPage, cursor: parseAsString },
    { history: 'push' },
  )
  return [limit, (next: typeof limit) => void set({ limit: next, cursor: null })] as const
}
