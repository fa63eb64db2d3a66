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

const TIME = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/
const CHINA_OFFSET_HOURS = 8

/** Bills write China time without an offset. Throws MalformedBill. */
export function timeIn(cells: readonly string[], at: number): Date {
  const parts = TIME.exec(textIn(cells, at))
  if (!parts) throw new MalformedBill('not a time')
  const [, year, month, day, hour, minute, second] = parts.map(Number)
  if (year === undefined || month === undefined) throw new MalformedBill('not a time')
  return new Date(Date.UTC(year, month - 1, day, (hour ?? 0) - CHINA_OFFSET_HOURS, minute, second))
}

/** Empty cells and the zero that stands for "none" are null. */
export function textOrNull(cells: readonly string[], at: number): string | null {
  const text = textIn(cells, at)
  return text === '' || text === '0' ? null : text
}
