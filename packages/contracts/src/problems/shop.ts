import type { ProblemKind } from './problem-kind.ts'

/** Of plans, orders, payments and refunds. */
export const shopProblems = {
  sale_not_allowed: {
    http: 403,
    trpc: 'FORBIDDEN',
    zh: '当前平台暂不支持购买',
    en: 'Not on sale on this platform',
  },
  plan_not_found: {
    http: 404,
    trpc: 'NOT_FOUND',
    zh: '套餐不存在或已下架',
    en: 'The plan does not exist or is not on sale',
  },
  order_not_found: { http: 404, trpc: 'NOT_FOUND', zh: '订单不存在', en: 'The order does not exist' },
  price_changed: { http: 409, trpc: 'CONFLICT', zh: '价格已变化，请刷新后重试', en: 'The price has changed' },
  order_already_paid: { http: 409, trpc: 'CONFLICT', zh: '订单已支付', en: 'The order is already paid' },
  order_closed: { http: 409, trpc: 'CONFLICT', zh: '订单已关闭', en: 'The order is closed' },
  refund_not_possible: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '该订单不能这样退款',
    en: 'The order cannot be refunded like this',
  },
  refund_being_sent: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '退款正在提交给支付平台，请几分钟后再试',
    en: 'The refund is being sent to the payment platform; try again in a few minutes',
  },
  decision_not_possible: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '该订单不能这样处理',
    en: 'The order cannot be decided like this',
  },
  notification_unreadable: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '无法再次验证该通知',
    en: 'The notification can no longer be verified',
  },
  price_below_floor: {
    http: 409,
    trpc: 'CONFLICT',
    zh: '每日价格低于设置的最低价',
    en: 'The price per day is below the floor in the settings',
  },
  payment_platform_error: {
    http: 502,
    trpc: 'BAD_GATEWAY',
    zh: '支付平台暂时不可用',
    en: 'The payment platform failed',
  },
  payment_not_configured: {
    http: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    zh: '支付尚未开通',
    en: 'Payments are not configured',
  },
  payment_platform_timeout: {
    http: 504,
    trpc: 'GATEWAY_TIMEOUT',
    zh: '支付平台响应超时',
    en: 'The payment platform did not answer in time',
  },
} as const satisfies Record<string, ProblemKind>
