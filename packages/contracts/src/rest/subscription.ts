import { z } from 'zod'

export const Subscription = z.object({
  status: z.enum(['active', 'inactive']),
  is_active: z.boolean(),
  remaining_days: z.int().nonnegative(),
  expires_at: z.iso.datetime().nullable(),
  plan: z.object({ code: z.string(), name: z.string() }).nullable(),
  features: z.array(z.string()),
})
export type Subscription = z.infer<typeof Subscription>
