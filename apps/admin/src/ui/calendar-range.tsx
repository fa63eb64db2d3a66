'use client'

import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import 'dayjs/locale/zh-cn'
import type { DayRangeProps } from './day-range-props.ts'

const DAY = 'YYYY-MM-DD'
const toPicker = (day: string | null): Dayjs | null => (day === null ? null : dayjs(day, DAY))
const fromPicker = (day: Dayjs | null | undefined): string | null => day?.format(DAY) ?? null

/** The range in a calendar of two months, with the usual ranges beside it. */
export function CalendarRange({ className, labels, from, to, presets, onChange }: DayRangeProps) {
  return (
    <DatePicker.RangePicker
      className={className}
      value={[toPicker(from), toPicker(to)]}
      allowEmpty={[true, true]}
      placeholder={[labels.from, labels.to]}
      aria-label={labels.range}
      getPopupContainer={(trigger) => trigger.parentElement ?? document.body}
      presets={presets.map((preset) => ({
        label: preset.label,
        value: [toPicker(preset.from), toPicker(preset.to)],
      }))}
      onChange={(days) => onChange({ from: fromPicker(days?.[0]), to: fromPicker(days?.[1]) })}
    />
  )
}
