import { Readable } from 'node:stream'
import { beijingTime, type Cell, inPieces, inYuan, type Sheet } from './sheet.ts'

/** Without it spreadsheets read UTF-8 as the code page of the machine. */
const BYTE_ORDER_MARK = '\uFEFF'

/** How a formula begins, in every width in which a spreadsheet knows the sign. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/u

/** Excel refuses a longer text inside a formula. */
const QUOTABLE_CHARACTERS = 255

/** What a spreadsheet may take for a number, a date or a truth value: whatever begins with no letter, and their names. */
const mayBeTyped =
  /^(\P{L}|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|(true|false|inf|infinity|nan)$)/iu

/** Keeps a cell text in every spreadsheet: a formula whose result is a string, `="42"`, or a leading apostrophe. */
const asText = (text: string): string =>
  text.length > QUOTABLE_CHARACTERS ? `'${text}` : `="${text.replaceAll('"', '""')}"`

function plain(text: string): string {
  if (formula.test(text)) return `'${text}`
  return mayBeTyped.test(text) ? asText(text) : text
}

function fieldOf(cell: Cell): string {
  switch (cell?.as) {
    case undefined:
      return ''
    case 'id':
      return asText(cell.text)
    case 'text':
    case 'words':
      return plain(cell.text)
    case 'yuan':
      return inYuan(cell.fen)
    case 'count':
      return String(cell.count)
    case 'moment':
      return beijingTime(cell.at)
    case 'day':
      return cell.day
  }
}

/** RFC 4180: what holds a comma, a quote or an end of line stands in quotes, and its quotes twice. */
const quoted = (field: string): string =>
  /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field

const lineOf = (cells: Cell[]): string => `${cells.map((cell) => quoted(fieldOf(cell))).join(',')}\r\n`

async function* textsOf({ heads, lines }: Sheet) {
  yield BYTE_ORDER_MARK + lineOf(heads.map((text) => ({ as: 'words', text })))
  for await (const cells of lines) yield lineOf(cells)
}

/** A comma-separated file for spreadsheets: nothing in it runs, and no id becomes a number. */
export const writeCsv = (sheet: Sheet): Readable =>
  Readable.from(inPieces(textsOf(sheet)), { objectMode: false })
