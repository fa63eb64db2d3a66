import { digits } from '../read-fields.ts'
import { exactDecimal, readLines } from './bill-text.ts'
import { fieldsOf, MalformedBill } from './read-table.ts'

/** The text of a cell; the width of the row has been checked. */
export const textIn = (cells: readonly string[], at: number): string => cells[at] ?? ''

/** Yuan with two decimals as fen. Throws MalformedBill. */
export function fenIn(cells: readonly string[], at: number): number {
  return scaledIn(cells, at, 2)
}

/** A decimal as an integer of its last place. Throws MalformedBill. */
export function scaledIn(cells: readonly string[], at: number, places: number): number {
  const value = exactDecimal(textIn(cells, at), places)
  if (value === null) throw new MalformedBill('not an amount')
  return value
}

const CHINA_OFFSET_HOURS = 8

/** Bills write China time without an offset. Throws MalformedBill. */
export function timeIn(cells: readonly string[], at: number): Date {
  const text = textIn(cells, at)
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 2), digits(text, 8, 2)]
  const [hour, minute, second] = [digits(text, 11, 2), digits(text, 14, 2), digits(text, 17, 2)]
  const time = Date.UTC(year, month - 1, day, hour - CHINA_OFFSET_HOURS, minute, second)
  if (text.length !== 19 || text.charAt(10) !== ' ' || Number.isNaN(time))
    throw new MalformedBill('not a time')
  return new Date(time)
}

/** Empty cells and the zero that stands for "none" are null. */
export function textOrNull(cells: readonly string[], at: number): string | null {
  const text = textIn(cells, at)
  return text === '' || text === '0' ? null : text
}

const backtick = '`'

/** The row with one field emptied; what is no row of this width is left as it is. */
function emptyField(line: string, { at, width }: { at: number; width: number }): string {
  const fields = fieldsOf(line)
  if (at < 0 || !line.startsWith(backtick) || fields.length !== width) return line
  return backtick + fields.map((field, index) => (index === at ? '' : field)).join(`,${backtick}`)
}

/**
 * The bytes of a bill (protocol §7.4) with one column emptied in every row, by constant memory: for keeping what the
 * books need without whom it names. A bill without that column comes out as it was.
 */
export async function* withoutColumn(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  let column: { at: number; width: number } | null = null
  for await (const lines of readLines(bytes)) {
    const kept = lines.map((line) => {
      if (column !== null) return emptyField(line, column)
      const header = line.split(',')
      column = { at: header.indexOf(name), width: header.length }
      return line
    })
    if (kept.length > 0) yield Buffer.from(`${kept.join('\r\n')}\r\n`)
  }
}
