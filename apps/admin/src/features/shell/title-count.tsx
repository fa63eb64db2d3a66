'use client'

import { useEffect } from 'react'
import { useWaiting } from './use-waiting.ts'

/** The title of the page with how much waits for the operator before it; as it is where nothing does. */
export const titleWith = (title: string, waiting: string | null): string =>
  (waiting ? `(${waiting}) ` : '') + title.replace(/^\(\d+\+?\) /, '')

/** Keeps that number in the title of whatever page is open: the window tells of it while another one is looked at. */
export function TitleCount() {
  const { waiting } = useWaiting()
  useEffect(() => {
    const show = () => {
      const title = titleWith(document.title, waiting)
      if (title !== document.title) document.title = title
    }
    show()
    const turned = new MutationObserver(show)
    turned.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => turned.disconnect()
  }, [waiting])
  return null
}
