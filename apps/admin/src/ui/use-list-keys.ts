'use client'

import { useRef } from 'react'

/**
 * Keys for rows that have none of their own because everything in them is being typed. `forget` goes with the removal
 * of a row, so that the others keep their cursor.
 */
export function useListKeys(length: number) {
  const made = useRef(0)
  const keys = useRef<string[]>([])
  while (keys.current.length < length) {
    made.current += 1
    keys.current.push(String(made.current))
  }
  keys.current.length = length
  return {
    keyOf: (place: number) => keys.current[place] ?? '',
    forget: (place: number) => void keys.current.splice(place, 1),
  }
}
