import { useLocale, useMessages, useTranslations } from 'next-intl'
import { formatList } from '../../format.ts'

/** When something runs, by the clock of the business. */
type Times =
  | { kind: 'everyMinutes'; minutes: number }
  | { kind: 'hourly'; minute: number }
  | { kind: 'daily'; times: string[] }
  /** Once a week, on Mondays. */
  | { kind: 'weekly'; times: string[] }
  /** Once an hour, from the first time to the last. */
  | { kind: 'between'; from: string; to: string }

/** Beijing is ahead of UTC by this, all year round. */
const AHEAD_HOURS = 8
const HOURS = 24

/** The numbers that a field of a cron line stands for; null where it is written as no field of ours is. */
function numbersOf(field: string, below: number): number[] | null {
  const numbers = field.split(',').map((part) => {
    const [, all, from, to, step] = /^(?:(\*)|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? []
    if (all === undefined && from === undefined) return null
    const first = Number(from ?? 0)
    const last = all === undefined ? Number(to ?? (step === undefined ? first : below - 1)) : below - 1
    const by = Number(step ?? 1)
    if (last >= below || by < 1) return null
    return Array.from({ length: Math.floor((last - first) / by) + 1 }, (_, place) => first + place * by)
  })
  return numbers.every((list) => list !== null) ? [...new Set(numbers.flat())].sort((a, b) => a - b) : null
}

const clock = (hour: number, minute: number) =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`

/** A line of the schedule, which is in UTC, by the clock of the business; null where it says days, or nothing we know. */
export function readCron(cron: string): Times | null {
  const [minuteField = '', hourField = '', ...days] = cron.split(' ')
  const [minutes, utcHours] = [numbersOf(minuteField, 60), numbersOf(hourField, HOURS)]
  const [minute] = minutes ?? []
  if (!minutes || !utcHours || minute === undefined) return null
  // A Monday that begins in UTC is one in Beijing as long as the hour does not lead into the next day.
  if (
    days.join(' ') === '* * 1' &&
    minutes.length === 1 &&
    utcHours.every((hour) => hour + AHEAD_HOURS < HOURS)
  )
    return { kind: 'weekly', times: utcHours.map((hour) => clock(hour + AHEAD_HOURS, minute)) }
  if (days.join(' ') !== '* * *') return null
  const always = utcHours.length === HOURS
  if (always && minutes.length > 1) {
    const step = 60 / minutes.length
    return minutes.every((one, place) => one === place * step)
      ? { kind: 'everyMinutes', minutes: step }
      : null
  }
  if (minutes.length > 1) return null
  if (always) return { kind: 'hourly', minute }
  const hours = utcHours.map((hour) => (hour + AHEAD_HOURS) % HOURS).sort((a, b) => a - b)
  const [first = 0, last = 0] = [hours[0], hours.at(-1)]
  if (hours.length > 2 && last - first === hours.length - 1)
    return { kind: 'between', from: clock(first, minute), to: clock(last, minute) }
  return { kind: 'daily', times: hours.map((hour) => clock(hour, minute)) }
}

/** When a job runs, in words and by the clock of the business; a line that is not understood as it is written. */
export function useTimes(): (cron: string) => string {
  const t = useTranslations('jobs.times')
  const language = useLocale()
  return (cron) => {
    const times = readCron(cron)
    if (times === null) return `${cron} (UTC)`
    switch (times.kind) {
      case 'everyMinutes':
        return t('everyMinutes', { minutes: times.minutes })
      case 'hourly':
        return t('hourly', { minute: times.minute })
      case 'daily':
        return t('daily', { times: formatList(times.times, language) })
      case 'weekly':
        return t('weekly', { times: formatList(times.times, language) })
      case 'between':
        return t('between', { from: times.from, to: times.to })
    }
  }
}

/** The word for a job; one that this console does not know yet is shown by its name. */
export function useJobName(): (job: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().jobs.names
  return (job) => words[job] ?? job
}
