'use client'

import { useRouter } from 'next/navigation'
import { createContext, type MouseEvent, use } from 'react'

/** Shows what an address names where the page stands, without asking the server for another; says whether it could. */
export const OpenInPlace = createContext<(href: string) => boolean>(() => false)

/** Goes to an address: in place where that is possible. */
export function useOpen(): (href: string) => void {
  const router = useRouter()
  const openInPlace = use(OpenInPlace)
  return (href) => {
    if (!openInPlace(href)) router.push(href)
  }
}

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/** What a press of a link does first: a plain one is taken in place where that is possible. */
export function usePressInPlace(): (event: MouseEvent, href: unknown) => void {
  const openInPlace = use(OpenInPlace)
  return (event, href) => {
    if (isPlain(event) && typeof href === 'string' && openInPlace(href)) event.preventDefault()
  }
}
