import { z } from 'zod'
import { ACCOUNT_OF_BOTH_MONEYS, ACCOUNT_OF_FROZEN_MONEY, SHARES_OUTRANK_ACCOUNT } from './open-questions.ts'
import type { FundsAccount, PlatformOrder, PlatformPayment } from './platform-records.ts'
import { goodsId, Refusal, threeByteText } from './reply.ts'

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

const FROZEN_FOR_MS = 30 * 86_400_000

/** The money of an order with profit sharing is frozen for thirty days after its payment (protocol §3.1). */
export const isFrozen = (order: PlatformOrder, payment: PlatformPayment, now: Date): boolean =>
  order.isProfitSharing && now.getTime() - payment.paidAt.getTime() < FROZEN_FOR_MS

const notEnough = (message: string) => new Refusal(403, { code: 'NOT_ENOUGH', message })

/**
 * The account that pays for a refund: the one asked for, else where the order's money lies. Several at once only while
 * the money of a profit-sharing order is frozen (protocol §6.1).
 */
export function accountOf({ amount, funds_account: asked }: RefundParameters, frozen: boolean): FundsAccount {
  const { from } = amount
  if (from && (SHARES_OUTRANK_ACCOUNT || asked === undefined)) return accountOfShares(from, frozen)
  if (asked === 'UNSETTLED' && !frozen) throw notEnough('交易未结算资金不足，请使用可用余额退款')
  return asked ?? (frozen ? ACCOUNT_OF_FROZEN_MONEY : 'AVAILABLE')
}

type RefundedShare = NonNullable<RefundParameters['amount']['from']>[number]

function accountOfShares(shares: readonly RefundedShare[], frozen: boolean): FundsAccount {
  const [only, other] = shares
  if (other && !frozen)
    throw new Refusal(400, { code: 'INVALID_REQUEST', message: '只有待分账的订单可以指定多个出资账户' })
  if (only?.account === 'UNAVAILABLE' && !frozen) throw notEnough('不可用余额不足')
  return other ? ACCOUNT_OF_BOTH_MONEYS : (only?.account ?? 'AVAILABLE')
}
