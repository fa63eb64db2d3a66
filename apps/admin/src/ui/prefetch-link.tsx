'use client'

import Link from 'next/link'
import { type ComponentProps, useEffect, useRef, useState } from 'react'

/** A pointer that only passes on its way elsewhere has left by then. */
const INTENT_MS = 80

/**
 * A link whose page is read ahead once somebody is about to press it: pointed at, or focused. Only for pages whose
 * reading leaves no trace.
 */
export function PrefetchLink(props: Omit<ComponentProps<typeof Link>, 'prefetch'>) {
  const [wanted, setWanted] = useState(false)
  const intent = useRef<ReturnType<typeof setTimeout>>(undefined)
  const leave = () => clearTimeout(intent.current)
  const approach = () => {
    leave()
    intent.current = setTimeout(() => setWanted(true), INTENT_MS)
  }
  useEffect(() => () => clearTimeout(intent.current), [])
  return (
    <Link
      {...props}
      prefetch={wanted}
      onPointerEnter={approach}
      onPointerLeave={leave}
      onFocus={approach}
      onBlur={leave}
    />
  )
}
