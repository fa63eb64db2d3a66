import { z } from 'zod'

/** An amount of money: an integer number of fen (one hundredth of a yuan), never a fraction. */
export const Fen = z.int().nonnegative()
