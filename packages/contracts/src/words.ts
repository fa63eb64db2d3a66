import { z } from 'zod'

/** What is told to people, in every language they may read it in. A rule of a schema carries its own as its `params`. */
export const Words = z.object({ zh: z.string(), en: z.string() })
export type Words = z.infer<typeof Words>
