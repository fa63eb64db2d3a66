const dayMs = 86_400_000

/** How many days of 24 hours lie between now and an end, a begun one counted: 0 exactly when the end has come. */
export const daysLeft = (end: Date, now: Date): number =>
  Math.max(0, Math.ceil((end.getTime() - now.getTime()) / dayMs))

const DAY_MS = 86_400_000

/** The day so many days after this one, `2026-11-20`; before it where `days` is negative. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** Days of Asia/Shanghai, both included. */
export type DaySpan = { from: string; to: string }

/** The spans of days that lists and dashboards offer: how many days before and after today belong to each. */
const spans = {
  today: { before: 0, after: 0 },
  lastWeek: { before: 6, after: 0 },
  lastMonth: { before: 29, after: 0 },
  lastQuarter: { before: 89, after: 0 },
  nextWeek: { before: 0, after: 6 },
  nextMonth: { before: 0, after: 29 },
} as const

export type DatePreset = keyof typeof spans

/** The days of a preset; today counts. */
export const daysOfPreset = (preset: DatePreset, today: string): DaySpan => ({
  from: dayAfter(today, -spans[preset].before),
  to: dayAfter(today, spans[preset].after),
})
