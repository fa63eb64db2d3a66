import { z } from 'zod'
import { OrderStatus } from '../order-status.ts'

/** What is looked up from anywhere: an id, whole. */
export const SearchText = z.object({ text: z.string().trim().min(4).max(64) })

/** What an id leads to; nothing personal stands in it. */
export const SearchHit = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('order'),
    outTradeNo: z.string(),
    status: OrderStatus,
    amountFen: z.int(),
    planName: z.string(),
  }),
  z.object({ kind: z.literal('user'), userId: z.uuid(), isDisabled: z.boolean() }),
  z.object({ kind: z.literal('device'), serialNumber: z.string(), model: z.string().nullable() }),
])
export type SearchHit = z.infer<typeof SearchHit>

export const SearchHits = z.object({ hits: z.array(SearchHit) })
