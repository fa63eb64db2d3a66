'use client'

import styles from './day-range.module.css'
import { Input } from './input.tsx'

export type Days = { from: string | null; to: string | null }

export type DayRangeProps = Days & {
  className: string
  labels: { range: string; from: string; to: string }
  presets: readonly ({ label: string } & Days)[]
  onChange: (days: Days) => void
}

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
