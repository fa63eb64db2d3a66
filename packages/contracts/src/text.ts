import { z } from 'zod'

/** What is told to people, in every language they may read it in. A rule of a schema carries its own as its `params`. */
export const Words = z.object({ zh: z.string(), en: z.string() })
export type Words = z.infer<typeof Words>

/** Embeddings, overrides and isolates (Unicode Bidi, UAX #9): with them one name looks like another. */
export const turnsText = /[\u202A-\u202E\u2066-\u2069]/

/**
 * One line of text that a person or a client wrote: trimmed, no control characters, which no column could keep, and
 * none that turn the direction of what stands beside it.
 */
export const lineOf = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^\P{Cc}*$/u)
    .refine((text) => !turnsText.test(text), {
      params: {
        zh: '不能包含改变文字方向的字符',
        en: 'may not contain characters that turn the direction of text',
      },
    })
