'use client'

import { useEffect } from 'react'

/** What does not tell when it is idle (Safari) is given this long to become so. */
const PATIENCE_MS = 300

function whenIdle(start: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(start, PATIENCE_MS)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(start, { timeout: 2_000 })
  return () => cancelIdleCallback(handle)
}

/**
 * Does something that nobody waits for, once the browser has nothing else to do; again when it is another function. It
 * is given up when that comes first, or what wants it leaves the page; that it fails is nobody's failure.
 */
export function useIdle(task: ((signal: AbortSignal) => Promise<unknown>) | null): void {
  useEffect(() => {
    if (task === null) return
    const given = new AbortController()
    const cancel = whenIdle(() => void task(given.signal).catch(() => undefined))
    return () => {
      cancel()
      given.abort()
    }
  }, [task])
}
