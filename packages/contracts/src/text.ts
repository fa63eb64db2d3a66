import { z } from 'zod'

/** One line of text that a person or a client wrote: trimmed, no control characters, which no column could keep. */
export const lineOf = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^\P{Cc}*$/u)
