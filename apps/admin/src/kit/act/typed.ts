import { parseYuan } from '@meridian/contracts'
import { z } from 'zod'

// A number that was not typed as one is none: the shape that it is piped into then refuses it.

/** A whole number as it is typed. */
export const typedInt = z
  .string()
  .transform((text) => (/^-?\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN))

/** A count as it is typed: without a sign. */
export const typedCount = z
  .string()
  .transform((text) => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN))

/** An amount of fen, typed in yuan. */
export const typedYuan = z.string().transform((text) => parseYuan(text) ?? Number.NaN)

/** An amount of fen, typed in yuan; an empty one is none. */
export const optionalYuan = z
  .string()
  .transform((text) => (text.trim() === '' ? null : (parseYuan(text) ?? Number.NaN)))

/** What must be typed exactly, to confirm that it is meant. */
export const typedWord = (word: string) => z.string().trim().pipe(z.literal(word))

export const yuanOf = (fen: number): string => (fen / 100).toFixed(2)
