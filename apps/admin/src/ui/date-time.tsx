'use client'

import { useLocale, useTranslations } from 'next-intl'
import { formatExactTime, formatRelative, formatTime } from '../format.ts'
import { useShownNow } from './clock.tsx'
import styles from './text.module.css'

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
  const now = useShownNow(30_000)
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
