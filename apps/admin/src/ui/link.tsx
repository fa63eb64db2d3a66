'use client'

import NextLink from 'next/link'
import { type ComponentProps, type MouseEvent, useEffect, useRef, useState } from 'react'
import { usePressInPlace } from './open-in-place.ts'

/** A pointer that only passes on its way elsewhere has left by then. */
const INTENT_MS = 80

/** Whether somebody is about to press it: points at it for a moment, or has it in focus. */
function useApproach() {
  const [approached, setApproached] = useState(false)
  const intent = useRef<ReturnType<typeof setTimeout>>(undefined)
  const leave = () => clearTimeout(intent.current)
  const approach = () => {
    leave()
    intent.current = setTimeout(() => setApproached(true), INTENT_MS)
  }
  useEffect(() => () => clearTimeout(intent.current), [])
  return { approached, onPointerEnter: approach, onPointerLeave: leave, onFocus: approach, onBlur: leave }
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
  const { approached, ...watched } = useApproach()
  const pressInPlace = usePressInPlace()
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (!event.defaultPrevented) pressInPlace(event, props.href)
  }
  const wanted = approached && (ahead || null)
  return (
    <NextLink {...watched} {...props} onClick={press} prefetch={prefetch === undefined ? wanted : prefetch} />
  )
}
