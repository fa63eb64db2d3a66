import type { DeviceState } from './console/device.ts'
import type { OrderMark, OrderStep } from './console/order.ts'
import type { SubscriptionState } from './console/subscription.ts'
import type { UserState } from './console/user.ts'
import type { knownFeatures } from './feature.ts'
import type { ConfirmedBy, OrderStatus } from './order-status.ts'
import type { RefundReason, RefundState } from './refund-status.ts'
import type { Words } from './words.ts'

/**
 * What the codes of the lists are called, in every language: on the pages of the console and in the files that leave
 * it.
 */
type CodeWords<Code extends string> = Record<keyof Words, Record<Code, string>>

export const orderStatusWords = {
  zh: { created: '已创建', prepay: '待支付', paid: '已支付', closed: '已关闭', refunded: '已退款' },
  en: {
    created: 'Created',
    prepay: 'Awaiting payment',
    paid: 'Paid',
    closed: 'Closed',
    refunded: 'Refunded',
  },
} as const satisfies CodeWords<OrderStatus>

export const orderMarkWords = {
  zh: { refunding: '退款中', parked: '暂停处理' },
  en: { refunding: 'Refund in progress', parked: 'On hold' },
} as const satisfies CodeWords<OrderMark>

export const orderStepWords = {
  zh: { prepay: '已发起支付', paid: '已收到付款' },
  en: { prepay: 'Payment started', paid: 'Payment received' },
} as const satisfies CodeWords<OrderStep>

export const confirmedByWords = {
  zh: {
    notification: '支付通知',
    sync: '用户同步',
    sweep: '自动检查',
    bill: '对账单',
    admin_sync: '控制台同步',
    replay: '通知重放',
  },
  en: {
    notification: 'Payment notification',
    sync: 'User refresh',
    sweep: 'Automatic check',
    bill: 'Reconciliation bill',
    admin_sync: 'Console sync',
    replay: 'Notification replay',
  },
} as const satisfies CodeWords<ConfirmedBy>

export const refundStatusWords = {
  zh: {
    requested: '待审批',
    approved: '已批准',
    processing: '处理中',
    succeeded: '已退款',
    closed: '已关闭',
    abnormal: '异常',
    rejected: '已驳回',
    refused: '被拒',
    stopped: '已终止',
  },
  en: {
    requested: 'Awaiting approval',
    approved: 'Approved',
    processing: 'Processing',
    succeeded: 'Refunded',
    closed: 'Closed',
    abnormal: 'Abnormal',
    rejected: 'Rejected',
    refused: 'Refused',
    stopped: 'Stopped',
  },
} as const satisfies CodeWords<RefundState>

export const refundReasonWords = {
  zh: {
    user_request: '用户申请',
    defect: '产品问题',
    duplicate: '重复付款',
    late_payment: '付款逾期',
    fraud: '可疑交易',
    other: '其他',
  },
  en: {
    user_request: 'Requested by user',
    defect: 'Product issue',
    duplicate: 'Duplicate payment',
    late_payment: 'Late payment',
    fraud: 'Suspicious transaction',
    other: 'Other',
  },
} as const satisfies CodeWords<RefundReason>

export const subscriptionStateWords = {
  zh: { active: '有效', expired: '已到期' },
  en: { active: 'Active', expired: 'Expired' },
} as const satisfies CodeWords<SubscriptionState>

export const featureWords = {
  zh: { report_detail: '报告详情', manual_treatment: '手动理疗' },
  en: { report_detail: 'Report details', manual_treatment: 'Manual treatment' },
} as const satisfies CodeWords<(typeof knownFeatures)[number]>

export const userStateWords = {
  zh: { active: '正常', disabled: '已停用', erased: '已注销' },
  en: { active: 'Active', disabled: 'Disabled', erased: 'Erased' },
} as const satisfies CodeWords<UserState>

export const deviceStateWords = {
  zh: { bound: '已绑定', unbound: '未绑定', disabled: '已停用' },
  en: { bound: 'Bound', unbound: 'Not bound', disabled: 'Disabled' },
} as const satisfies CodeWords<DeviceState>

/** Who made a device known: an imported inventory, or the first user who bound it. */
export const deviceOriginWords = {
  zh: { inventory: '库存', phone: '用户绑定' },
  en: { inventory: 'Inventory', phone: 'Bound by a user' },
} as const satisfies CodeWords<'inventory' | 'phone'>
