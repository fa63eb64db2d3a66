import { chinaTime } from '../endpoints/orders.ts'

/** The platform keeps 0.6 % of a payment: six hundred-thousandths of a yuan for each fen. */
export const FEE_PER_FEN = 6

/** An integer of its last place as a decimal text. */
export function decimal(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, '0')
  return `${value < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

export const yuan = (fen: number): string => decimal(fen, 2)

export const billTime = (time: Date): string => chinaTime(time).slice(0, 19).replace('T', ' ')

export const row = (fields: readonly string[]): string => fields.map((field) => `\`${field}`).join(',')

/** A bill of its lines (protocol §7.4). */
export const table = (lines: readonly string[]): string => `\ufeff${lines.join('\r\n')}\r\n`
