import { z } from 'zod'

/** In XML numbers are text (virtual payment §4.4). */
const whole = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(z.number().int().nonnegative())
const instant = whole.transform((seconds) => (seconds === 0 ? null : new Date(seconds * 1000)))
const number = z.string().min(1).max(64)
const optionalText = z
  .string()
  .nullish()
  .transform((text) => text || null)
const truth = z
  .union([z.boolean(), z.enum(['true', 'false', '1', '0'])])
  .transform((value) => [true, 'true', '1'].includes(value))

/** What every message of the mini-program may carry. A customer's message names no event. */
export const Head = z.object({
  Event: z.string().max(128).optional(),
  MsgType: z.string().max(64).optional(),
  CreateTime: whole.optional(),
  OutTradeNo: z.string().max(64).optional(),
  IsMock: truth.optional(),
  MiniGame: z.object({ IsMock: truth.optional() }).optional(),
})
export type Head = z.infer<typeof Head>

/** Of a payment through Apple the numbers of WeChat Pay may be missing (virtual payment §4.4, assumption in §9). */
export const Delivery = z.object({
  OpenId: z.string().min(1),
  OutTradeNo: number,
  Env: whole.pipe(z.union([z.literal(0), z.literal(1)])),
  WeChatPayInfo: z.object({ TransactionId: optionalText, PaidTime: instant.nullish() }).nullish(),
  GoodsInfo: z.object({ ProductId: z.string(), Quantity: whole, ActualPrice: whole, Attach: optionalText }),
})

export const Refund = z.object({
  WxRefundId: number,
  MchRefundId: optionalText,
  MchOrderId: number,
  RefundFee: whole,
  RetCode: whole,
  RefundSuccTimestamp: instant.nullish(),
})

export const Inquiry = z.object({
  pay_order_id: number,
  refund_time: instant.nullish(),
  refund_request_reason: optionalText,
})
export const Complaint = z.object({
  MchOrderId: z.string().max(64).default(''),
  ComplaintId: optionalText,
  RequestId: optionalText,
  ComplaintTime: instant.nullish().catch(null),
})
export const Risk = z.object({
  EventType: z.string().max(128).default(''),
  BusinessCode: optionalText,
  BusinessState: optionalText,
  Remark: optionalText,
})
