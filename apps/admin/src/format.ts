import { daysLeft } from '@meridian/contracts'

/** The business lives in this zone, wherever the browser is; it has no summer time. */
export const TIME_ZONE = 'Asia/Shanghai'
const OFFSET = '+08:00'
const OFFSET_MS = 8 * 3_600_000
const DAY_MS = 86_400_000

/** Read off the text of the moment that stands as far from UTC as the zone does: a formatter of `Intl` takes fifty times as long, and a list has forty moments. */
function partsOf(time: Date) {
  const text = new Date(time.getTime() + OFFSET_MS).toISOString()
  return { day: text.slice(0, 10), minute: text.slice(11, 16), second: text.slice(17, 19) }
}

/** `2026-11-20 22:30`, in business time. */
export function formatTime(time: Date): string {
  const { day, minute } = partsOf(time)
  return `${day} ${minute}`
}

/** `2026-11-20 22:30:05`, where the order of events matters. */
export function formatExactTime(time: Date): string {
  const { day, minute, second } = partsOf(time)
  return `${day} ${minute}:${second}`
}

/** `22:30:05`, where the day is plain. */
export function formatClock(time: Date): string {
  const { minute, second } = partsOf(time)
  return `${minute}:${second}`
}

/** The business day a moment falls on, `2026-11-20`. */
export const dayOf = (time: Date): string => partsOf(time).day

export { dayAfter } from '@meridian/contracts'

/** When a business day begins. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00${OFFSET}`)

/** How many days lie between two days; negative where the second comes first. */
export const daysBetween = (day: string, other: string): number =>
  Math.round((Date.parse(`${other}T00:00:00Z`) - Date.parse(`${day}T00:00:00Z`)) / DAY_MS)

/** Whether the text is a day that exists, as `2026-11-20`. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  )
}

const grouped = new Intl.NumberFormat('en-US')

/** `12,345`, as beside amounts of money, in either language. */
export const formatCount = (count: number): string => grouped.format(count)

/** `7 天、1 天`, `7 days, 1 day`. */
export const formatList = (texts: readonly string[], language: string): string =>
  new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' }).format(texts)

/** `+10` or `−3` for a text that counts days: their sign, and how many. */
export const signedDays = (days: number) => ({ sign: days < 0 ? '−' : '+', days: Math.abs(days) })

/** Whether a text is nothing but an id: it is then shown short. */
export const isId = (text: string): boolean => /^[\w-]{20,}$/.test(text)

/** Shortens an id in the middle, keeping the ends people compare: `M01JD7QK…X84Z9Q`. */
export function truncateMiddle(text: string, { head = 8, tail = 6 } = {}): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

const steps = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const distanceWords = new Map<string, Intl.RelativeTimeFormat>()

/** Made once for a language: that is dear. */
function distanceWordsIn(language: string): Intl.RelativeTimeFormat {
  const words = distanceWords.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  distanceWords.set(language, words)
  return words
}

/** `3 小时前`, `3 hours ago`. Of days to come a begun one counts, as it does of those that a subscription has left. */
export function formatRelative(time: Date, { now, language }: { now: Date; language: string }): string {
  const distance = time.getTime() - now.getTime()
  const words = distanceWordsIn(language)
  if (distance >= DAY_MS) return words.format(daysLeft(time, now), 'day')
  for (const [unit, size] of steps)
    if (Math.abs(distance) >= size) return words.format(Math.trunc(distance / size), unit)
  return words.format(0, 'minute')
}
