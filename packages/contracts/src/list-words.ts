import { type CodeWords, codeWords } from './code-words.ts'
import type { DeviceState } from './console/device.ts'
import type { AttemptAnswer, OrderMark, OrderStep } from './console/order.ts'
import type { GrantRequest, LedgerEntry, SubscriptionState } from './console/subscription.ts'
import type { UserState } from './console/user.ts'
import type { knownFeatures } from './feature.ts'
import type { OrderState } from './order-state.ts'
import type { ConfirmedBy, OrderStatus, PaymentChannel } from './order-status.ts'
import type { RefundOrigin } from './refund-origin.ts'
import type { RefundReason, RefundState } from './refund-status.ts'

export const orderStatusWords = codeWords<OrderStatus>({
  created: ['已创建', 'Created'],
  prepay: ['待支付', 'Awaiting payment'],
  paid: ['已支付', 'Paid'],
  closed: ['已关闭', 'Closed'],
  refunded: ['已退款', 'Refunded'],
})

const partlyRefunded = ['部分退款', 'Partly refunded'] as const

/** What the console shows of an order: its status, but that a refund of a part is seen. */
export const orderStateWords: CodeWords<OrderState> = {
  zh: { ...orderStatusWords.zh, partly_refunded: partlyRefunded[0] },
  en: { ...orderStatusWords.en, partly_refunded: partlyRefunded[1] },
}

export const orderMarkWords = codeWords<OrderMark>({
  refunding: ['退款中', 'Refund in progress'],
  partly_refunded: partlyRefunded,
  parked: ['暂停处理', 'On hold'],
})

export const orderStepWords = codeWords<OrderStep>({
  prepay: ['已发起支付', 'Payment started'],
  paid: ['已收到付款', 'Payment received'],
})

export const paymentChannelWords = codeWords<PaymentChannel>({
  jsapi: ['微信支付', 'WeChat Pay'],
  virtual: ['虚拟支付', 'Virtual payment'],
})

export const attemptAnswerWords = codeWords<AttemptAnswer>({
  unpaid: ['未支付', 'Not paid'],
  closed: ['已关闭', 'Closed'],
  paid: ['已支付', 'Paid'],
  delivered: ['已发货', 'Delivered'],
  refunding: ['退款中', 'Refund in progress'],
  refunded: ['已退款', 'Refunded'],
  unknown: ['未知状态', 'Unknown status'],
  no_such_order: ['查无此单', 'No such order'],
})

export const confirmedByWords = codeWords<ConfirmedBy>({
  notification: ['支付通知', 'Payment notification'],
  sync: ['用户同步', 'User refresh'],
  sweep: ['自动检查', 'Automatic check'],
  bill: ['对账单', 'Reconciliation bill'],
  admin_sync: ['控制台同步', 'Console sync'],
  replay: ['通知重放', 'Notification replay'],
})

export const refundStatusWords = codeWords<RefundState>({
  requested: ['待审批', 'Awaiting approval'],
  approved: ['已批准', 'Approved'],
  processing: ['处理中', 'Processing'],
  succeeded: ['已退款', 'Refunded'],
  closed: ['已关闭', 'Closed'],
  abnormal: ['异常', 'Abnormal'],
  rejected: ['已驳回', 'Rejected'],
  refused: ['被拒', 'Refused'],
  stopped: ['已终止', 'Stopped'],
})

export const refundReasonWords = codeWords<RefundReason>({
  user_request: ['用户申请', 'Requested by user'],
  defect: ['产品问题', 'Product issue'],
  duplicate: ['重复付款', 'Duplicate payment'],
  late_payment: ['付款逾期', 'Late payment'],
  fraud: ['可疑交易', 'Suspicious transaction'],
  other: ['其他', 'Other'],
  external: ['系统外退款', 'Refunded elsewhere'],
})

/** Stands where an operator's name would, had one asked. */
export const refundOriginWords = codeWords<RefundOrigin>({
  rule: ['按规则自动', 'Automatic'],
  apple: ['Apple（系统外）', 'Apple (outside Meridian)'],
  virtual: ['微信公众平台（系统外）', 'mp.weixin.qq.com (outside Meridian)'],
  jsapi: ['微信支付商户平台（系统外）', 'WeChat Pay merchant platform (outside Meridian)'],
})

export const subscriptionStateWords = codeWords<SubscriptionState>({
  active: ['有效', 'Active'],
  expired: ['已到期', 'Expired'],
})

export const featureWords = codeWords<(typeof knownFeatures)[number]>({
  report_detail: ['报告详情', 'Report details'],
  manual_treatment: ['手动理疗', 'Manual treatment'],
})

export const userStateWords = codeWords<UserState>({
  active: ['正常', 'Active'],
  disabled: ['已停用', 'Disabled'],
  erased: ['已注销', 'Erased'],
})

export const deviceStateWords = codeWords<DeviceState>({
  bound: ['已绑定', 'Bound'],
  unbound: ['未绑定', 'Not bound'],
  disabled: ['已停用', 'Disabled'],
})

/** Who made a device known: an imported inventory, or the first user who bound it. */
export const deviceOriginWords = codeWords<'inventory' | 'phone'>({
  inventory: ['库存', 'Inventory'],
  phone: ['用户绑定', 'Bound by a user'],
})

/** By what days came or went. */
export const grantKindWords = codeWords<LedgerEntry['kind']>({
  purchase: ['购买', 'Purchase'],
  admin_grant: ['人工调整', 'Manual adjustment'],
  refund_revocation: ['退款扣回', 'Revoked by refund'],
  trial: ['试用', 'Trial'],
  integration_grant: ['其他系统赠送', 'Given by another system'],
  imported: ['从其他系统导入', 'Imported'],
})

export const grantRequestStateWords = codeWords<GrantRequest['state']>({
  requested: ['待审批', 'Awaiting approval'],
  approved: ['已批准', 'Approved'],
  rejected: ['已驳回', 'Rejected'],
})
