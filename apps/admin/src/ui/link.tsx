'use client'

import NextLink from 'next/link'
import { type ComponentProps, type MouseEvent, useEffect, useRef, useState } from 'react'
import { useInPlace } from './open-in-place.ts'

/** A pointer that only passes on its way elsewhere has left by then. */
const INTENT_MS = 80

/** Hears when somebody is about to press it: points at it for a moment, or has it in focus. */
function useApproach(onApproach: () => void) {
  const intent = useRef<ReturnType<typeof setTimeout>>(undefined)
  const leave = () => clearTimeout(intent.current)
  const approach = () => {
    leave()
    intent.current = setTimeout(onApproach, INTENT_MS)
  }
  useEffect(() => () => clearTimeout(intent.current), [])
  return { onPointerEnter: approach, onPointerLeave: leave, onFocus: approach, onBlur: leave }
}

type LinkProps = ComponentProps<typeof NextLink> & {
  /** Its whole page is read ahead, not its frame alone: only where reading leaves no trace. */
  ahead?: boolean
}

/**
 * A link within the console. Nothing is asked of the server before somebody is about to press it: Next would otherwise
 * ask for every link in sight, of every page anew, and what is pressed meanwhile would wait for that.
 */
export function Link({ ahead = false, prefetch, onClick, ...props }: LinkProps) {
  const [approached, setApproached] = useState(false)
  const inPlace = useInPlace(props.href)
  const watched = useApproach(() => inPlace.approach() || setApproached(true))
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    inPlace.press(event)
  }
  const wanted = approached && (ahead || null)
  return (
    <NextLink {...watched} {...props} onClick={press} prefetch={prefetch === undefined ? wanted : prefetch} />
  )
}
