import { z } from 'zod'
import { userStates } from '../choices.ts'
import { period, searchText, timedPageFields } from '../paging.ts'
import { OrderRow } from './order.ts'
import { TagChip, tagFilter } from './tag.ts'

export const UserState = z.enum(userStates)
export type UserState = z.infer<typeof UserState>

/** The filters of the list of users; what is not the time they came holds within the last 90 days unless one is given. */
export const UserFilter = z.object({
  state: UserState.optional(),
  ...tagFilter,
  /** Bounds of the first login, inclusive and exclusive. */
  ...period,
  /** A user id, whole, or a part of a nickname. */
  search: searchText,
})
export type UserFilter = z.infer<typeof UserFilter>

export const UserListQuery = UserFilter.extend(timedPageFields)
export type UserListQuery = z.infer<typeof UserListQuery>

export const UserRow = z.object({
  id: z.uuid(),
  /** Masked: its first character. */
  nickname: z.string().nullable(),
  state: UserState,
  createdAt: z.date(),
  remainingDays: z.int(),
  /** How many devices they have now. */
  devices: z.int(),
  tags: z.array(TagChip),
})
export type UserRow = z.infer<typeof UserRow>

export const UserSession = z.object({
  id: z.uuid(),
  createdAt: z.date(),
  lastUsedAt: z.date(),
  expiresAt: z.date(),
  revokedAt: z.date().nullable(),
})
export type UserSession = z.infer<typeof UserSession>

export const UserOrder = OrderRow.pick({
  outTradeNo: true,
  status: true,
  planName: true,
  amountFen: true,
  refundedFen: true,
  createdAt: true,
})
export type UserOrder = z.infer<typeof UserOrder>

/** How somebody has a device, or had it. */
export const bindingFields = {
  proven: z.boolean(),
  boundAt: z.date(),
  unboundAt: z.date().nullable(),
  endReason: z.string().nullable(),
}

export const UserDevice = z.object({
  serialNumber: z.string(),
  model: z.string().nullable(),
  ...bindingFields,
})
export type UserDevice = z.infer<typeof UserDevice>

export const UserDetail = UserRow.omit({ tags: true }).extend({
  /** Masked: first four and last four characters. */
  openid: z.string(),
  disabledAt: z.date().nullable(),
  /** What the operator wrote who disabled them. */
  disabledReason: z.string().nullable(),
  erasedAt: z.date().nullable(),
  subscription: z.object({ expiresAt: z.date().nullable(), features: z.array(z.string()) }),
  /** The newest twenty. */
  orders: z.array(UserOrder),
  orderCount: z.int(),
  bindings: z.array(UserDevice),
  reportCount: z.int(),
  sessions: z.array(UserSession),
})
export type UserDetail = z.infer<typeof UserDetail>

export const UserReference = z.object({ id: z.uuid() })

/** Why an operator does something to somebody: kept in the audit log. */
export const Reason = z.string().trim().min(4).max(500)

/** Why a session shows the names of users. */
export const NamesReveal = z.object({ reason: Reason })
export type NamesReveal = z.infer<typeof NamesReveal>

export const UserAction = UserReference.extend({ reason: Reason })
export type UserAction = z.infer<typeof UserAction>

/** Without a session, all of them. */
export const SessionEnd = UserReference.extend({ sessionId: z.uuid().optional() })
export type SessionEnd = z.infer<typeof SessionEnd>

export const RevealedUser = z.object({ openid: z.string(), nickname: z.string().nullable() })
export type RevealedUser = z.infer<typeof RevealedUser>
