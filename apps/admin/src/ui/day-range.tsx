'use client'

import dynamic from 'next/dynamic'
import { useSyncExternalStore } from 'react'
import styles from './day-range.module.css'
import { useDaysInWords } from './filter-chips.tsx'
import { Icon } from './icon.tsx'
import { type DayRangeProps, NativeRange } from './native-range.tsx'
import popupStyles from './popup.module.css'
import { Popup } from './popup.tsx'

// A calendar is heavy: it comes with the first intention to open it.
const loadPanel = () => import('./calendar-panel.tsx').then((module) => module.CalendarPanel)
const CalendarPanel = dynamic(loadPanel, {
  ssr: false,
  loading: () => <div className={styles['waiting']} />,
})

/** The range on a button, which opens a calendar of two months with the usual ranges beside it. */
function CalendarRange({ className, ...range }: DayRangeProps) {
  const daysInWords = useDaysInWords()
  const { labels, from, to } = range
  const words = (from ?? to) === null ? null : daysInWords({ from, to })
  return (
    <Popup
      label={labels.range}
      trigger={(attributes) => (
        <button
          {...attributes}
          type="button"
          className={`${popupStyles['trigger']} ${styles['trigger']} ${className}`}
          aria-label={words === null ? labels.range : `${labels.range}: ${words}`}
          onPointerEnter={() => void loadPanel()}
          onFocus={() => void loadPanel()}
        >
          <Icon name="calendar" />
          <span className={words === null ? styles['placeholder'] : styles['value']}>
            {words ?? labels.range}
          </span>
          <Icon name="chevronDown" size={14} />
        </button>
      )}
    >
      {(close) => <CalendarPanel {...range} close={close} />}
    </Popup>
  )
}

const PHONE = '(max-width: 767.98px)'

function onPhoneChange(tell: () => void): () => void {
  const phone = matchMedia(PHONE)
  phone.addEventListener('change', tell)
  return () => phone.removeEventListener('change', tell)
}

/** Two days, both included, either of which may stay open. A phone brings the better calendar itself. */
export function DayRange(props: DayRangeProps) {
  const isPhone = useSyncExternalStore(
    onPhoneChange,
    () => matchMedia(PHONE).matches,
    () => false,
  )
  return isPhone ? <NativeRange {...props} /> : <CalendarRange {...props} />
}
