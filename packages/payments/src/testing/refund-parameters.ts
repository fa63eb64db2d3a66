import { z } from 'zod'
import { goodsId, threeByteText } from './read-parameters.ts'

const Share = z.strictObject({
  account: z.enum(['AVAILABLE', 'UNAVAILABLE']),
  amount: z.number().int().min(1),
})

const Amount = z
  .strictObject({
    refund: z.number().int().min(1),
    total: z.number().int().min(1),
    currency: z.literal('CNY'),
    from: z.array(Share).min(1).optional(),
  })
  .refine(({ from }) => new Set(from?.map(({ account }) => account)).size === (from?.length ?? 0), {
    path: ['from'],
    message: '出资账户类型重复',
  })
  .refine(({ from, refund }) => !from || from.reduce((sum, { amount }) => sum + amount, 0) === refund, {
    path: ['from'],
    message: '出资金额之和不等于退款金额',
  })

const Goods = z.strictObject({
  merchant_goods_id: goodsId,
  wechatpay_goods_id: threeByteText(1, 32).optional(),
  goods_name: threeByteText(1, 256).optional(),
  unit_price: z.number().int().min(0),
  refund_amount: z.number().int().min(0),
  refund_quantity: z.number().int().positive(),
})

/** The parameters of a refund; unknown ones are refused (protocol §6.1). */
export const RefundParameters = z.strictObject({
  transaction_id: threeByteText(1, 32).optional(),
  out_trade_no: threeByteText(6, 32).optional(),
  out_refund_no: z.string().regex(/^[0-9A-Za-z_\-|*@]{1,64}$/),
  reason: threeByteText(1, 80).optional(),
  notify_url: z
    .string()
    .max(256)
    .regex(/^https?:\/\/[^?#]+$/)
    .optional(),
  funds_account: z.enum(['AVAILABLE', 'UNSETTLED']).optional(),
  amount: Amount,
  goods_detail: z.array(Goods).min(1).optional(),
})

export type RefundParameters = z.infer<typeof RefundParameters>
