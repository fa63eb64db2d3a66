import { z } from 'zod'
import { Fen } from '../money.ts'

export const PlanCode = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_-]*$/)

export const Plan = z.object({
  code: PlanCode,
  name: z.string(),
  description: z.string(),
  duration_days: z.int(),
  price_fen: Fen,
  list_price_fen: Fen.nullable(),
  currency: z.literal('CNY'),
  features: z.array(z.string()),
  badge: z.string().nullable(),
})
export type Plan = z.infer<typeof Plan>

export const Sale = z.object({ allowed: z.boolean(), message: z.string().nullable() })
export type Sale = z.infer<typeof Sale>

export const PlanList = z.object({ plans: z.array(Plan), sale: Sale })
export type PlanList = z.infer<typeof PlanList>
