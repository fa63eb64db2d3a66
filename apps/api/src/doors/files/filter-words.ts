import type { Words } from '@meridian/contracts'
import type { Language } from '../problem.ts'
import { BEIJING_OFFSET_MS, beijingTime, inYuan } from './export-columns.ts'

/** How one condition of a filter is labelled; null where it does not narrow the list. */
export type FilterPhrase<Filter> = (filter: Filter, language: Language) => string | null

type Bounds = { from?: string | undefined; to?: string | undefined }

const DAY_MS = 24 * 3_600_000
const colon = { zh: '：', en: ': ' } as const satisfies Words

const labelled = (name: Words, language: Language, said: string | null | undefined): string | null =>
  said === null || said === undefined ? null : `${name[language]}${colon[language]}${said}`

/** A condition as it was written: a search, a code that people gave. */
export const asWritten =
  <Filter>(zh: string, en: string, value: (filter: Filter) => string | undefined): FilterPhrase<Filter> =>
  (filter, language) =>
    labelled({ zh, en }, language, value(filter))

/** A condition of a few, by what it is called. */
export const byName =
  <Filter>(
    zh: string,
    en: string,
    say: (filter: Filter, language: Language) => string | undefined,
  ): FilterPhrase<Filter> =>
  (filter, language) =>
    labelled({ zh, en }, language, say(filter, language))

const between = ({ from, to }: Bounds, language: Language): string | null => {
  if (from !== undefined && to !== undefined)
    return { zh: `${from} 至 ${to}`, en: `${from} to ${to}` }[language]
  if (from !== undefined) return { zh: `${from} 起`, en: `from ${from}` }[language]
  if (to !== undefined) return { zh: `至 ${to}`, en: `up to ${to}` }[language]
  return null
}

const startsADay = (time: Date | undefined): boolean =>
  time === undefined || (time.getTime() + BEIJING_OFFSET_MS) % DAY_MS === 0

/** The last moment before an exclusive bound, as far as a file tells the time. */
const before = (time: Date, byMs: number): Date => new Date(time.getTime() - byMs)

/** From one moment until before another: in days where both begin one. */
export const within =
  <Filter>(
    zh: string,
    en: string,
    value: (filter: Filter) => { from: Date | undefined; to: Date | undefined },
  ): FilterPhrase<Filter> =>
  (filter, language) => {
    const { from, to } = value(filter)
    const inDays = startsADay(from) && startsADay(to)
    const length = inDays ? 'yyyy-mm-dd'.length : 'yyyy-mm-dd hh:mm:ss'.length
    const bounds = {
      from: from && beijingTime(from).slice(0, length),
      to: to && beijingTime(before(to, inDays ? DAY_MS : 1000)).slice(0, length),
    }
    return labelled({ zh, en }, language, between(bounds, language))
  }

/** Amounts from one to another, both included. */
export const amounts =
  <Filter>(
    zh: string,
    en: string,
    value: (filter: Filter) => { from: number | undefined; to: number | undefined },
  ): FilterPhrase<Filter> =>
  (filter, language) => {
    const { from, to } = value(filter)
    const bounds = {
      from: from === undefined ? from : inYuan(from),
      to: to === undefined ? to : inYuan(to),
    }
    return labelled({ zh, en }, language, between(bounds, language))
  }
