import { dayAfter } from '../days.ts'
import { parseYuan } from '../fen.ts'

/** What the words of a search say of an order, and what is left of them: a number or a name. */
export type SearchWords = { amountFen: number | null; day: string | null; rest: string }

const namedDays: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['今天', 0],
  ['今日', 0],
  ['yesterday', -1],
  ['昨天', -1],
  ['昨日', -1],
  ['前天', -2],
])

const withYear = /^(\d{4})(?:年|[-/.])(\d{1,2})(?:月|[-/.])(\d{1,2})[日号]?$/
const withoutYear = /^(\d{1,2})(?:[-/](\d{1,2})|月(\d{1,2})[日号]?)$/
const amountWord = /^[¥￥]?(\d{1,3}(?:,\d{3}){1,2}(?:\.\d{1,2})?|\d{1,7}(?:\.\d{1,2})?)(?:元|块|yuan|rmb)?$/i
const named = [...namedDays.keys()].join('|')
/** `昨天199元` and `199元昨天`, written without a space. */
const glued = new RegExp(`^(?:(${named})(.+)|(.+)(${named}))$`)

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const monthName =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
/** `Nov 20`, `20 November`, `Nov. 20, 2026`. */
const inEnglish = new RegExp(
  `(?<![A-Za-z\\d])(?:(${monthName})\\.? (\\d{1,2})|(\\d{1,2}) (${monthName})\\.?)(?:,? (20\\d{2}))?(?![A-Za-z\\d]),?`,
  'i',
)

/** The first day with the name of its month as one word of digits. */
function withMonthAsNumber(text: string): string {
  const [written, before, behindMonth, beforeMonth, behind, year] = inEnglish.exec(text) ?? []
  if (written === undefined) return text
  const month = months.indexOf((before ?? behind ?? '').slice(0, 3).toLowerCase()) + 1
  return text.replace(written, [year, month, behindMonth ?? beforeMonth].filter(Boolean).join('-'))
}

const dated = (year: number, month: string, day: string) =>
  `${String(year).padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`

/** Whether such a day is in the calendar of this century, and not in the future. */
const isPast = (day: string, today: string): boolean => {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) && day >= '2000' && day <= today
}

/** The day a word names; without a year, the last such day. None is of the future, and none is no day. */
function dayOfWord(word: string, today: string): string | null {
  const distance = namedDays.get(word.toLowerCase())
  if (distance !== undefined) return dayAfter(today, distance)
  const [, year, month = '', date = ''] = withYear.exec(word) ?? []
  const [, monthAlone = '', dashed, written = ''] = withoutYear.exec(word) ?? []
  const thisYear = Number(today.slice(0, 4))
  const candidates = year
    ? [dated(Number(year), month, date)]
    : [thisYear, thisYear - 1].map((each) => dated(each, monthAlone, dashed ?? written))
  return candidates.find((day) => isPast(day, today)) ?? null
}

/** The fen of an amount in yuan, above zero. */
const fenOfWord = (word: string): number | null => parseYuan(amountWord.exec(word)?.[1] ?? '') || null

const wordsOf = (text: string): string[] =>
  withMonthAsNumber(text)
    .trim()
    .split(/[\s，。；、]+/)
    .flatMap((word) => {
      const [, first, behind, before, last] = glued.exec(word) ?? []
      const pair = [first ?? before ?? '', behind ?? last ?? '']
      return pair.some((part) => fenOfWord(part) !== null) ? pair : [word]
    })

/** The first word that reads as something, what it reads as, and the words without it. */
function takeFirst<Read>(words: readonly string[], read: (word: string) => Read | null) {
  const index = words.findIndex((word) => read(word) !== null)
  const word = words[index]
  return {
    taken: word === undefined ? null : read(word),
    left: word === undefined ? words : words.toSpliced(index, 1),
  }
}

/** As `fenOfWord`, of a word that can be nothing but an amount. */
const fenOfMarked = (word: string) => (/[^\d]/.test(word) ? fenOfWord(word) : null)

/**
 * Reads an amount in yuan and a day of Asia/Shanghai out of the words of a search, the first of each: `199 11-20`,
 * `¥199.00 2026-11-20`, `199元 昨天`, `11月20日 199`, `Nov 20 199`, `小明 29.9`. An amount with its sign or its fen goes before a bare
 * number. A day has no year or one; it never lies behind `today`.
 */
export function readSearchWords(text: string, today: string): SearchWords {
  const { taken: day, left: words } = takeFirst(wordsOf(text), (word) => dayOfWord(word, today))
  const marked = takeFirst(words, fenOfMarked)
  const { taken: amountFen, left } = marked.taken === null ? takeFirst(words, fenOfWord) : marked
  return { amountFen, day, rest: left.join(' ') }
}
