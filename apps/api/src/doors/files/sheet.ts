import type { Words } from '@meridian/contracts'
import type { Language } from '../problem.ts'

/**
 * What stands in one field of a file. An `id` stays the text it is, however much it looks like a number; `text` is
 * what people wrote; `words` are ours.
 */
export type Cell =
  | { as: 'id' | 'text' | 'words'; text: string }
  | { as: 'yuan'; fen: number }
  | { as: 'count'; count: number }
  | { as: 'moment'; at: Date }
  | { as: 'day'; day: string }
  | null

/** What a sold plan is called in the language of a file. */
export type SoldName = (soldAs: string) => string

/** A column of a file: what it is called, and what stands in it. */
export type ExportColumn<Row> = Words & {
  cell: (row: Row, language: Language, soldName: SoldName) => Cell
}

/** How Beijing, the time zone of the business, stands to UTC: it has no summer time. */
export const BEIJING_OFFSET_MS = 8 * 3_600_000

/** A moment in Beijing time: `2026-11-20 22:30:05`. */
export const beijingTime = (time: Date): string =>
  new Date(time.getTime() + BEIJING_OFFSET_MS).toISOString().slice(0, 19).replace('T', ' ')

/** Fen as yuan with two decimals: `29.00`, `-0.50`. */
export const inYuan = (fen: number): string => (fen / 100).toFixed(2)

const zone = { zh: '（北京时间）', en: ' (Beijing time)' } as const satisfies Words

const written =
  (as: 'id' | 'text') =>
  <Row>(zh: string, en: string, value: (row: Row) => string | null): ExportColumn<Row> => ({
    zh,
    en,
    cell: (row) => {
      const found = value(row)
      return found === null ? null : { as, text: found }
    },
  })

export const id = written('id')
export const text = written('text')

/** The plan that was sold, by the name that it has in the language of the file. */
export const soldPlan = <Row>(soldAs: (row: Row) => string | null): ExportColumn<Row> => ({
  zh: '套餐',
  en: 'Plan',
  cell: (row, _language, soldName) => {
    const found = soldAs(row)
    return found === null ? null : { as: 'text', text: soldName(found) }
  },
})

/** What a code is called: each code is a column of a file in the words of its reader. */
export const words = <Row>(
  zh: string,
  en: string,
  say: (row: Row, language: Language) => string | null,
): ExportColumn<Row> => ({
  zh,
  en,
  cell: (row, language) => {
    const said = say(row, language)
    return said === null ? null : { as: 'words', text: said }
  },
})

export const yesNo = <Row>(zh: string, en: string, holds: (row: Row) => boolean): ExportColumn<Row> =>
  words(zh, en, (row, language) => yesNoWords[language][holds(row) ? 'yes' : 'no'])

const yesNoWords = { zh: { yes: '是', no: '否' }, en: { yes: 'Yes', no: 'No' } } as const

export const yuan = <Row>(zh: string, en: string, fen: (row: Row) => number): ExportColumn<Row> => ({
  zh,
  en,
  cell: (row) => ({ as: 'yuan', fen: fen(row) }),
})

/** The same where a row may have no amount. */
export const yuanOrNone = <Row>(
  zh: string,
  en: string,
  amount: (row: Row) => number | null,
): ExportColumn<Row> => ({
  zh,
  en,
  cell: (row) => {
    const fen = amount(row)
    return fen === null ? null : { as: 'yuan', fen }
  },
})

export const count = <Row>(zh: string, en: string, many: (row: Row) => number): ExportColumn<Row> => ({
  zh,
  en,
  cell: (row) => ({ as: 'count', count: many(row) }),
})

export const moment = <Row>(zh: string, en: string, time: (row: Row) => Date | null): ExportColumn<Row> => ({
  zh: zh + zone.zh,
  en: en + zone.en,
  cell: (row) => {
    const at = time(row)
    return at && { as: 'moment', at }
  },
})

/** What a file is made of, line by line: it is written while it is read, and never held. */
export type Sheet = {
  heads: string[]
  /** The lines below the heads; the last one says whose file it is. */
  lines: AsyncIterable<Cell[]>
  /** When the file was asked for. */
  at: Date
}

/** Large enough that a piece is worth a call of the compressor and of the socket. */
const PIECE_CHARACTERS = 16 * 1024

/** Short texts as few longer ones. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  if (piece) yield piece
}
