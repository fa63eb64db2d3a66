'use client'

import type { DayRangeProps } from './day-range-props.ts'
import { Input } from './input.tsx'
import styles from './native-range.module.css'

/** The range in two fields of the browser's own. */
export function NativeRange({ className, labels, from, to, onChange }: DayRangeProps) {
  return (
    <fieldset className={`${styles['range']} ${className}`} aria-label={labels.range}>
      <Input
        type="date"
        aria-label={labels.from}
        value={from ?? ''}
        max={to ?? undefined}
        onChange={(event) => onChange({ from: event.target.value || null, to })}
      />
      <span aria-hidden="true">–</span>
      <Input
        type="date"
        aria-label={labels.to}
        value={to ?? ''}
        min={from ?? undefined}
        onChange={(event) => onChange({ from, to: event.target.value || null })}
      />
    </fieldset>
  )
}
