import type { Me, Order, Plan } from '@meridian/contracts'
import type { OrderView } from '../../orders/find-order.ts'
import type { PlanOnSale } from '../../plans/list-plans.ts'
import type { SignedInUser } from '../../users/find-user.ts'

/** An order in the words of the contract. */
export const toOrder = (order: OrderView): Order => ({
  out_trade_no: order.outTradeNo,
  status: order.status,
  plan: { code: order.planCode, name: order.planName, duration_days: order.durationDays },
  amount_fen: order.amountFen,
  refunded_fen: order.refundedFen,
  currency: 'CNY',
  created_at: order.createdAt.toISOString(),
  expires_at: order.expiresAt.toISOString(),
  paid_at: order.paidAt?.toISOString() ?? null,
  closed_at: order.closedAt?.toISOString() ?? null,
})

/** A plan in the words of the contract. */
export const toPlan = (plan: PlanOnSale): Plan => ({
  code: plan.code,
  name: plan.name,
  description: plan.description,
  duration_days: plan.durationDays,
  price_fen: plan.priceFen,
  list_price_fen: plan.listPriceFen,
  currency: 'CNY',
  features: plan.features,
  badge: plan.badge,
})

/** A user in the words of the contract. */
export const toMe = (user: SignedInUser): Me => ({
  id: user.id,
  nickname: user.nickname,
  avatar_url: user.avatarUrl,
  created_at: user.createdAt.toISOString(),
})
