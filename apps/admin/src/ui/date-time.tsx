'use client'

import { useLocale, useNow, useTranslations } from 'next-intl'
import { createContext, type ReactNode, use } from 'react'
import { dayOf, formatExactTime, formatRelative, formatTime } from '../format.ts'
import styles from './text.module.css'

const Ahead = createContext(0)
const ShownNow = createContext<Date | null>(null)

const SHOWN_ANEW_MS = 30_000

/**
 * Tells everything below how far the clock of the business is ahead of the machine's; in production it is not. Texts
 * that change with time are drawn by one shared moment: first as the server took it, then every so often.
 */
export function ClockProvider({ aheadMs, children }: { aheadMs: number; children: ReactNode }) {
  const now = useNow({ updateInterval: SHOWN_ANEW_MS })
  return (
    <Ahead value={aheadMs}>
      <ShownNow value={now}>{children}</ShownNow>
    </Ahead>
  )
}

/** Now, by the clock of the business, at the moment of drawing: for what is over or not yet. */
export const useClock = (): Date => new Date(Date.now() + use(Ahead))

/** The business day it is now. */
export const useToday = (): string => dayOf(useClock())

/** The same as a text that changes with time is drawn by. */
const useShownNow = (): Date => new Date((use(ShownNow)?.getTime() ?? Date.now()) + use(Ahead))

type DateTimeProps = {
  time: Date
  /** To the second, where the order of events matters. */
  exact?: boolean
  /** Also how long ago, as secondary text; else only when pointed at. */
  relative?: boolean
}

/** A moment in business time. */
export function DateTime({ time, exact = false, relative = false }: DateTimeProps) {
  const language = useLocale()
  const t = useTranslations('shell')
  const now = useShownNow()
  const distance = formatRelative(time, { now, language })
  const text = exact ? formatExactTime(time) : formatTime(time)
  return (
    <span className={styles['time']}>
      <time dateTime={time.toISOString()} title={`${distance} · ${formatExactTime(time)} ${t('zone')}`}>
        {text}
      </time>
      {relative && <span className={styles['relative']}>{distance}</span>}
    </span>
  )
}
