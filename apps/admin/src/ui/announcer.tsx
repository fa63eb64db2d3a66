'use client'

import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react'
import styles from './announcer.module.css'

type Announcement = { text: string; count: number; seen: boolean }
/** Says something to everybody: aloud, and, unless `quiet`, in a note at the foot of the page. */
type Announce = (text: string, options?: { quiet?: boolean }) => void

const AnnounceContext = createContext<Announce>(() => {})

export const useAnnounce = (): Announce => use(AnnounceContext)

const SHOWN_MS = 3_500

/** Holds the live region; there is one for the whole console. */
export function Announcer({ children }: { children: ReactNode }) {
  const [announcement, setAnnouncement] = useState<Announcement>({ text: '', count: 0, seen: false })
  const announce = useCallback<Announce>((text, { quiet = false } = {}) => {
    setAnnouncement(({ count }) => ({ text, count: count + 1, seen: !quiet }))
  }, [])

  useEffect(() => {
    if (announcement.text === '') return
    const timer = setTimeout(() => setAnnouncement((last) => ({ ...last, text: '' })), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [announcement])

  const { text, count, seen } = announcement
  return (
    <AnnounceContext value={announce}>
      {children}
      <div
        className={seen && text !== '' ? styles['note'] : styles['heard']}
        role="status"
        aria-live="polite"
      >
        <span key={count}>{text}</span>
      </div>
    </AnnounceContext>
  )
}
