import { z } from 'zod'
import { OrderStatus, PaymentChannel } from '../order-status.ts'
import { RefundStatus } from '../refund-status.ts'

/** What is looked up from anywhere: an id, its beginning or its end, part of a nickname, or a message with an id in it. */
export const SearchText = z.object({ text: z.string().trim().min(2).max(500) })

/** What of a hit was the text looked for. */
export const SearchMatch = z.enum([
  'order_number',
  'transaction_id',
  'attempt_number',
  'platform_number',
  'refund_number',
  'platform_refund_id',
  'user_id',
  'order_of_user',
  'serial_number',
  'nickname',
  'openid',
  'amount',
  'day',
  'amount_and_day',
  'payer',
  'pinned',
  'recent',
])
export type SearchMatch = z.infer<typeof SearchMatch>

const matched = SearchMatch

/** What a text leads to; a nickname is masked. Of an order also who pays it, and the day it was paid or else made. */
export const SearchHit = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('order'),
    matched,
    outTradeNo: z.string(),
    status: OrderStatus,
    channel: PaymentChannel,
    amountFen: z.int(),
    planName: z.string(),
    payer: z.string().nullable(),
    paidOn: z.string().nullable(),
    createdOn: z.string(),
  }),
  z.object({
    kind: z.literal('refund'),
    matched,
    outRefundNo: z.string(),
    status: RefundStatus,
    amountFen: z.int(),
  }),
  z.object({
    kind: z.literal('user'),
    matched,
    userId: z.uuid(),
    nickname: z.string().nullable(),
    isDisabled: z.boolean(),
  }),
  z.object({ kind: z.literal('device'), matched, serialNumber: z.string(), model: z.string().nullable() }),
])
export type SearchHit = z.infer<typeof SearchHit>

/** `more`: something else is found as well, which a longer text would tell apart. */
export const SearchHits = z.object({ hits: z.array(SearchHit), more: z.boolean() })
export type SearchHits = z.infer<typeof SearchHits>
