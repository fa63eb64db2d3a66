'use client'

import { useCallback, useEffect, useRef } from 'react'
import { useIdle } from '../../ui/use-idle.ts'

/**
 * A query of something before it is wanted: for a minute it is not read ahead again, while whoever shows it asks anew.
 * That it fails is nobody's failure: not even a session that is gone sends the operator away before they do something.
 */
export const asAhead = { staleTime: 60_000, meta: { ahead: true } } as const

/** A page of a list: what narrows it, and where it begins; null for the first. */
type Place<Params> = { params: Params; cursor: string | null }

export type ReadPage<Params> = (place: Place<Params>) => Promise<unknown>

/** Reads pages that are likely to be turned to next, one at a time, while nothing else is wanted. */
export function usePagesAhead<Params>(read: ReadPage<Params> | null, places: readonly Place<Params>[]): void {
  const latest = useRef({ read, places })
  useEffect(() => {
    latest.current = { read, places }
  })
  const wanted = read === null || places.length === 0 ? null : JSON.stringify(places)
  const readThem = useCallback(
    async (signal: AbortSignal) => {
      if (wanted === null) return
      for (const place of latest.current.places) if (!signal.aborted) await latest.current.read?.(place)
    },
    [wanted],
  )
  useIdle(wanted === null ? null : readThem)
}
