import { z } from 'zod'
import { salePlatforms } from '../choices.ts'
import { pageFields, searchText } from '../paging.ts'
import { SaleChannel } from './setting.ts'

export const AppleInquiryListQuery = z.object({
  /** An `out_trade_no` or the number of an attempt, whole. */
  search: searchText,
  ...pageFields,
})
export type AppleInquiryListQuery = z.infer<typeof AppleInquiryListQuery>

/** What Apple asked about a refund, and what we answered (virtual payment §4.6). */
export const AppleInquiryRow = z.object({
  id: z.string(),
  attemptNo: z.string(),
  outTradeNo: z.string().nullable(),
  /** Whose order it is, where the order is ours. */
  userId: z.uuid().nullable(),
  customer: z.string().nullable(),
  requestedAt: z.date(),
  reason: z.string().nullable(),
  letPass: z.boolean(),
  /** The setting that decided. */
  opinion: z.string(),
  evidence: z.string(),
  asked: z.int(),
  answeredAt: z.date(),
})
export type AppleInquiryRow = z.infer<typeof AppleInquiryRow>

/**
 * How plans are sold on each platform. Since 2026-04-01 the platform wants unlocked functions to be sold by virtual
 * payment (virtual payment §1.1): what still sells by JSAPI is shown with the rule.
 */
export const SaleCompliance = z.object({
  platforms: z.array(z.object({ platform: z.enum(salePlatforms), channel: SaleChannel })),
  isVirtualConfigured: z.boolean(),
  /** Plans on sale that have no item, and so are not sold where the channel is virtual. */
  plansWithoutItem: z.array(z.string()),
  /** Plans on sale that have an item and cost less than Apple takes: not sold on iOS where the channel is virtual. */
  plansBelowApple: z.array(z.string()),
})
export type SaleCompliance = z.infer<typeof SaleCompliance>
