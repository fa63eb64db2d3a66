import { z } from 'zod'

/** What is typed to confirm that the sandbox is filled: it cannot be taken out again by itself. */
export const SAMPLE_DATA_WORD = 'sample data'

export const SampleDataRequest = z.object({ confirmation: z.literal(SAMPLE_DATA_WORD) })
export type SampleDataRequest = z.infer<typeof SampleDataRequest>

/** How a play of sample data stands: which day of how many. Unavailable outside a sandbox that can play. */
export const SampleData = z.object({
  state: z.enum(['unavailable', 'idle', 'playing', 'done', 'failed']),
  day: z.int(),
  days: z.int(),
})
export type SampleData = z.infer<typeof SampleData>
