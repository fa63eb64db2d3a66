'use client'

import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import 'dayjs/locale/zh-cn'
import styles from './day-range.module.css'

type Days = { from: string | null; to: string | null }

type DayRangeProps = Days & {
  className: string
  labels: { range: string; from: string; to: string }
  presets: readonly ({ label: string } & Days)[]
  onChange: (days: Days) => void
}

const DAY = 'YYYY-MM-DD'
const toPicker = (day: string | null): Dayjs | null => (day === null ? null : dayjs(day, DAY))
const fromPicker = (day: Dayjs | null | undefined): string | null => day?.format(DAY) ?? null

/** Two days, both included, either of which may stay open. Loaded apart from the page: a calendar is heavy. */
export function DayRange({ className, labels, from, to, presets, onChange }: DayRangeProps) {
  return (
    <DatePicker.RangePicker
      className={className}
      classNames={{ popup: { root: styles['popup'] ?? '' } }}
      value={[toPicker(from), toPicker(to)]}
      allowEmpty={[true, true]}
      placeholder={[labels.from, labels.to]}
      aria-label={labels.range}
      presets={presets.map((preset) => ({
        label: preset.label,
        value: [toPicker(preset.from), toPicker(preset.to)],
      }))}
      onChange={(days) => onChange({ from: fromPicker(days?.[0]), to: fromPicker(days?.[1]) })}
    />
  )
}
