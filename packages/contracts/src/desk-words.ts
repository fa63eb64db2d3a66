import { codeWords } from './code-words.ts'
import type { WaitingKind } from './console/approval.ts'
import type { NotificationOutcome } from './console/notification.ts'
import type { OperatorRole } from './console/operator.ts'
import type { DayState, DifferenceKind, DifferenceState, WaitingShipment } from './console/reconciliation.ts'
import type { ReportKind } from './rest/report.ts'

/** What the codes of the desks are called: on the pages of the console and in the files that leave it. */

export const notificationOutcomeWords = codeWords<NotificationOutcome>({
  applied: ['已生效', 'Applied'],
  already_paid: ['早已支付', 'Already paid'],
  ignored: ['已忽略', 'Ignored'],
  order_unknown: ['订单不存在', 'Order not found'],
  mismatch: ['内容不符', 'Does not match'],
  second_transaction: ['第二笔付款', 'Second payment'],
  deferred: ['等待重放', 'Awaiting replay'],
  unreadable: ['无法读取', 'Unreadable'],
})

export const notificationTypeWords = codeWords({
  transaction_success: ['支付成功', 'Payment succeeded'],
  refund_success: ['退款成功', 'Refund succeeded'],
  refund_abnormal: ['退款异常', 'Abnormal refund'],
  refund_closed: ['退款关闭', 'Refund closed'],
  unreadable: ['无法读取', 'Unreadable'],
  xpay_goods_deliver_notify: ['付款成功，通知发货', 'Paid, fulfillment requested'],
  xpay_refund_notify: ['虚拟支付退款结果', 'Virtual payment refund result'],
  xpay_subscribe_ios_refund_query_notify: ['Apple 退款问询', 'Apple refund inquiry'],
  xpay_coin_pay_notify: ['代币付款', 'Coins paid'],
  xpay_complaint_notify: ['用户投诉', 'User complaint'],
  xpay_wxpay_callback_notify: ['账户风险提醒', 'Account risk notice'],
})

export const parkReasonWords = codeWords({
  refunded_elsewhere: [
    '已在别处退款（Apple 或微信后台）',
    'Refunded outside Meridian (Apple or WeChat’s console)',
  ],
  late_payment: ['付款逾期', 'Late payment'],
  paid_without_grant: ['已付款但没有天数', 'Paid without days'],
  grant_without_paid_order: ['有天数但未付款', 'Days without payment'],
  refunded_more_than_paid: ['退款多于付款', 'Refunds exceed payment'],
  unpaid_and_forgotten: ['超时未付且未关闭', 'Overdue, unpaid and not closed'],
  left_as_is: ['已决定保持现状', 'Kept as is'],
})

export const differenceKindWords = codeWords<DifferenceKind>({
  ours_only: ['仅我方有', 'Only in our records'],
  theirs_only: ['仅平台有', 'Only on the platform'],
  amount: ['金额不同', 'Amount differs'],
  status: ['状态不同', 'Status differs'],
  refund: ['退款不同', 'Refund differs'],
  fee: ['手续费不同', 'Fee differs'],
})

export const differenceStateWords = codeWords<DifferenceState>({
  open: ['未解决', 'Open'],
  resolved: ['已解决', 'Resolved'],
})

export const differenceActionWords = codeWords({
  none: ['无需操作', 'No action needed'],
  ask_platform: ['建议：询问平台', 'Suggested: check with the platform'],
  find_order: ['建议：查找对应订单', 'Suggested: find the order'],
  refund_second_payment: ['建议：退还重复付款', 'Suggested: refund the duplicate payment'],
  check_amount: ['建议：核对金额', 'Suggested: check the amount'],
  check_terms: ['建议：核对下单条件', 'Suggested: check the order terms'],
  decide_parked: ['建议：决定暂停处理的订单', 'Suggested: review the order on hold'],
  record_external_refund: ['建议：登记商户平台退款', 'Suggested: record the external refund'],
  follow_refund: ['建议：跟进退款', 'Suggested: follow the refund'],
})

export const differenceResolutionWords = codeWords({
  paid_from_bill: ['已按账单入账', 'Recorded as paid from the bill'],
  in_another_bill: ['在另一天的账单里', 'Found in another day’s bill'],
  paid_on_another_day: ['支付时间属于另一天', 'Paid on another day'],
  imported_order: ['导入的订单，在其他系统售出', 'Imported order, sold in another system'],
  late_and_refunded: ['付款逾期，已退款', 'Paid late and refunded'],
  second_payment_refunded: ['第二笔付款，已退回', 'Second payment, refunded'],
  payer_erased: ['账号已注销，无法查询', 'Account erased: nobody to ask about'],
  no_longer_found: ['后来的账单里已不存在', 'Not in later bills'],
})

export const dayStateWords = codeWords<DayState>({
  open: ['未完成', 'Incomplete'],
  matched: ['已核对', 'Matched'],
  closed: ['已关账', 'Closed'],
})

export const shipmentStateWords = codeWords<WaitingShipment['state']>({
  pending: ['等待上传', 'Waiting for upload'],
  failed: ['上传失败', 'Upload failed'],
})

export const reportKindWords = codeWords<ReportKind>({
  scan: ['扫描', 'Scan'],
  treatment: ['理疗', 'Treatment'],
})

export const operatorRoleWords = codeWords<OperatorRole>({
  viewer: ['查看者', 'Viewer'],
  operator: ['运营', 'Operations'],
  finance: ['财务', 'Finance'],
  owner: ['所有者', 'Owner'],
})

export const inquiryOpinionWords = codeWords({
  by_use: ['按使用情况', 'Judged by use'],
  allow: ['设置：一律同意', 'Setting: always accept'],
  refuse: ['设置：一律不同意', 'Setting: never accept'],
})

export const inquiryReasonWords = codeWords({
  UNINTENDED_PURCHASE: ['误购', 'Unintended purchase'],
  FULFILLMENT_ISSUE: ['没有收到所购内容', 'Purchase not received'],
  UNSATISFIED_WITH_PURCHASE: ['对购买不满意', 'Not satisfied'],
  LEGAL: ['法律原因', 'Legal reasons'],
  OTHER: ['其他', 'Other'],
})

export const memberStateWords = codeWords({
  enabled: ['可用', 'Active'],
  disabled: ['已停用', 'Disabled'],
  invited: ['待首次登录', 'Not signed in yet'],
  expired: ['一次性密码已过期', 'One-time password expired'],
})

/** Why a delivery was refused. */
export const rejectionReasonWords = codeWords({
  headers_missing: ['缺少签名头', 'Missing signature headers'],
  stale: ['时间戳过期', 'Expired timestamp'],
  unknown_serial: ['未知的平台密钥', 'Unknown platform key'],
  bad_signature: ['签名不符', 'Invalid signature'],
  probe: ['平台探测', 'Platform probe'],
  malformed_envelope: ['报文格式有误', 'Malformed message'],
  unsupported_algorithm: ['不支持的加密算法', 'Unsupported encryption'],
  undecryptable: ['无法解密', 'Can’t be decrypted'],
  malformed_payload: ['内容格式有误', 'Malformed content'],
  refused_content: ['内容无法保存', 'Content that cannot be kept'],
})

/** What waits for a second person. */
export const waitingKindWords = codeWords<WaitingKind>({
  refund: ['退款', 'Refund'],
  refund_stop: ['终止退款', 'Stop refund'],
  grant: ['调整天数', 'Adjust days'],
  plan: ['套餐价格', 'Price of a plan'],
  setting: ['设置', 'Setting'],
  diagnosis: ['发布诊断配置', 'Publish diagnosis configuration'],
})
