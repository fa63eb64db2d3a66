export type Days = { from: string | null; to: string | null }

export type DayRangeProps = Days & {
  className: string
  labels: { range: string; from: string; to: string }
  presets: readonly ({ label: string } & Days)[]
  onChange: (days: Days) => void
}
