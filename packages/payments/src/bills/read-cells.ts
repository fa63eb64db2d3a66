import { digits } from '../read-fields.ts'
import { exactDecimal } from './exact-decimal.ts'
import { MalformedBill } from './read-table.ts'

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
