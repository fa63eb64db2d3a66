'use client'

import { createContext, use, useCallback, useLayoutEffect, useState } from 'react'
import { ARRANGING, LAYOUT_PREFIX } from './arrange-script.ts'
import { plainLayout, readLayout, type TableLayout } from './table-layout.ts'

/** Whose browser it is: several operators may share one, and each keeps their own tables. */
export const TableOwner = createContext('')

function inStorage<Answer>(act: (storage: Storage) => Answer): Answer | null {
  try {
    return act(localStorage)
  } catch {
    // Closed to this page, or full: the table is then arranged until the page is left.
    return null
  }
}

/** How the operator wants this list to look, kept in this browser. */
export function useTableLayout(name: string): [TableLayout, (layout: TableLayout) => void] {
  const key = `${LAYOUT_PREFIX}${use(TableOwner)}.${name}`
  const [layout, setLayout] = useState(plainLayout)
  useLayoutEffect(() => {
    setLayout(readLayout(inStorage((storage) => storage.getItem(key))))
    document.getElementById(ARRANGING)?.remove()
  }, [key])
  const keep = useCallback(
    (next: TableLayout) => {
      setLayout(next)
      inStorage((storage) =>
        next === plainLayout ? storage.removeItem(key) : storage.setItem(key, JSON.stringify(next)),
      )
    },
    [key],
  )
  return [layout, keep]
}
