'use client'

import { useRouter } from 'next/navigation'
import { createContext, type MouseEvent, use } from 'react'

/** What a list does with the addresses of its rows; each says whether the address is one of those. */
type InPlace = {
  /** Shows what the address names where the page stands, without asking the server for another page. */
  open: (href: string) => boolean
  /** Reads what it would show. */
  approach: (href: string) => boolean
}

const nowhere: InPlace = { open: () => false, approach: () => false }

export const OpenInPlace = createContext<InPlace>(nowhere)

/** Goes to an address: in place where that is possible. */
export function useOpen(): (href: string) => void {
  const router = useRouter()
  const { open } = use(OpenInPlace)
  return (href) => {
    if (!open(href)) router.push(href)
  }
}

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/** What is done first with a link that is approached or pressed; a plain press is taken in place where that is possible. */
export function useInPlace(href: unknown) {
  const { open, approach } = use(OpenInPlace)
  return {
    approach: () => typeof href === 'string' && approach(href),
    press(event: MouseEvent) {
      if (!event.defaultPrevented && isPlain(event) && typeof href === 'string' && open(href))
        event.preventDefault()
    },
  }
}
