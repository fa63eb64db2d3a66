'use client'

import { parseAsString, useQueryState } from 'nuqs'
import { useCallback, useMemo } from 'react'
import type { PageTurns } from './data-table/page-turner.tsx'

type Cursors = { previousCursor: string | null; nextCursor: string | null }

/** The place in a list, kept in the address. */
export function useCursor(page: Cursors | undefined): PageTurns {
  const [, setCursor] = useQueryState('cursor', parseAsString.withOptions({ history: 'push' }))
  const turnTo = useCallback(
    (cursor: string) => void setCursor(cursor).then(() => scrollTo({ top: 0 })),
    [setCursor],
  )
  const { previousCursor, nextCursor } = page ?? { previousCursor: null, nextCursor: null }
  return useMemo(
    () => ({
      previous: previousCursor === null ? null : () => turnTo(previousCursor),
      next: nextCursor === null ? null : () => turnTo(nextCursor),
    }),
    [previousCursor, nextCursor, turnTo],
  )
}
