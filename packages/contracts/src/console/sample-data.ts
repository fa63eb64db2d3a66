import { z } from 'zod'
import { SAMPLE_DATA_WORD } from '../choices.ts'

export const SampleDataRequest = z.object({ confirmation: z.literal(SAMPLE_DATA_WORD) })
export type SampleDataRequest = z.infer<typeof SampleDataRequest>

/** How a play of sample data stands: which day of how many. Unavailable outside a sandbox that can play. */
export const SampleData = z.object({
  state: z.enum(['unavailable', 'idle', 'playing', 'done', 'failed']),
  day: z.int(),
  days: z.int(),
})
export type SampleData = z.infer<typeof SampleData>
