'use client'

import { usePathname } from 'next/navigation'
import { type ReactNode, use, useEffect, useRef } from 'react'

/** What comes within this long needs no skeleton. */
const PATIENCE_MS = 300

const patience = new Map<string, Promise<void>>()

/** The same promise for as long as one page is waited for: what suspends loses all else that it knew. */
function patienceFor(pathname: string): Promise<void> {
  const known = patience.get(pathname)
  if (known) return known
  const pausing = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS))
  patience.set(pathname, pausing)
  void pausing.then(() => setTimeout(() => patience.delete(pathname), PATIENCE_MS))
  return pausing
}

/**
 * A skeleton for what is really waited for. React leaves one standing for 300 ms once it has shown it, so that one for a
 * page that comes sooner would make it come later; until then what one came from stays.
 */
export function AfterPatience({ children }: { children: ReactNode }) {
  const pathname = usePathname()
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
  }, [])
  // Where a page is loaded whole there is nothing else to show meanwhile.
  if (typeof window !== 'undefined' && !shown.current) use(patienceFor(pathname))
  return children
}
