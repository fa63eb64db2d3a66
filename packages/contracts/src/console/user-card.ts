import { z } from 'zod'
import { UserOrder, UserRow } from './user.ts'

/** Whose card: the user's, or that of whoever made the order. */
export const UserCardOf = z.union([
  z.object({ userId: z.uuid() }),
  z.object({ outTradeNo: z.string().min(1).max(64) }),
])
export type UserCardOf = z.infer<typeof UserCardOf>

/** Who a thing of the console belongs to, in a few words, beside it. */
export const UserCard = z.object({
  user: UserRow.omit({ tags: true }).extend({ expiresAt: z.date().nullable() }),
  /** The order that was asked for. */
  order: UserOrder.nullable(),
})
export type UserCard = z.infer<typeof UserCard>
