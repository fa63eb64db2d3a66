'use client'

import { useSyncExternalStore } from 'react'
import { CalendarRange } from './calendar-range.tsx'
import type { DayRangeProps } from './day-range-props.ts'
import { NativeRange } from './native-range.tsx'

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
