/** A column of a file: what it is called, and what stands in it. */
export type ExportColumn<Row> = { zh: string; en: string; cell: (row: Row) => string | number }

/** A moment in Beijing time, which has no summer time: `2026-11-20 22:30:05`. */
export const beijingTime = (time: Date | null): string =>
  time === null ? '' : new Date(time.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** Fen as yuan with two decimals, for a spreadsheet: `29.00`. */
export const inYuan = (fen: number): string =>
  `${Math.trunc(fen / 100)}.${String(fen % 100).padStart(2, '0')}`

const zone = { zh: '（北京时间）', en: ' (Beijing time)' }

export const moment = <Row>(zh: string, en: string, time: (row: Row) => Date | null): ExportColumn<Row> => ({
  zh: zh + zone.zh,
  en: en + zone.en,
  cell: (row) => beijingTime(time(row)),
})

export const text = <Row>(
  zh: string,
  en: string,
  cell: (row: Row) => string | number | null,
): ExportColumn<Row> => ({ zh, en, cell: (row) => cell(row) ?? '' })

export const yesNo = <Row>(zh: string, en: string, holds: (row: Row) => boolean): ExportColumn<Row> => ({
  zh,
  en,
  cell: (row) => (holds(row) ? 'yes' : ''),
})
