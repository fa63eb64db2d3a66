import { parseYuan } from '@meridian/contracts'
import type { OrderParams } from '../../../addresses.ts'

export type AmountRange = { min_fen: number | null; max_fen: number | null }
export type AmountFault = 'badAmount' | 'amountOrder'

const readOne = (text: string): number | null | undefined => {
  if (text.trim() === '') return null
  return parseYuan(text) ?? undefined
}

/** Reads two amounts typed in yuan; either may stay open. */
export function readAmountRange(min: string, max: string): AmountRange | AmountFault {
  const [minFen, maxFen] = [readOne(min), readOne(max)]
  if (minFen === undefined || maxFen === undefined) return 'badAmount'
  if (minFen !== null && maxFen !== null && maxFen < minFen) return 'amountOrder'
  return { min_fen: minFen, max_fen: maxFen }
}

/** How many filters are set of those that wait behind one button on a phone; a range counts as one. */
export const countFilters = (params: OrderParams): number =>
  [
    params.plan,
    params.channel,
    params.tag,
    params.from ?? params.to,
    params.paid_from ?? params.paid_to,
    params.min_fen ?? params.max_fen,
  ].filter((value) => value !== null).length
