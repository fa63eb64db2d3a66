import { codeWords } from './code-words.ts'
import type { AlertFilter, AlertKind, AlertSeverity } from './console/alert.ts'
import type { HealedBy } from './console/alert-end.ts'

/** What alerts are called and how they end: on the pages of the console, in the files that leave it, to the alarm channels. */

export const alertKindWords = codeWords<AlertKind>({
  payment_mismatch: ['支付结果与订单不符', 'Payment does not match order'],
  second_transaction: ['同一订单的第二笔付款', 'Second payment for one order'],
  order_unknown: ['付款的订单不存在', 'Payment for unknown order'],
  possible_double_payment: ['疑似重复付款', 'Possible duplicate payment'],
  external_refund: ['不是由本系统发起的退款', 'Refund made outside Meridian'],
  virtual_price_differs: [
    '套餐价格与平台道具不一致：用户无法支付',
    'Plan price differs from the platform’s item: users can’t pay',
  ],
  virtual_payment_refused: [
    '付款页面拒绝付款：用户无法支付',
    'Payment sheet refuses payments: users can’t pay',
  ],
  delivery_unconfirmed: [
    '虚拟支付订单未能向平台确认发货',
    'Fulfillment of a virtual payment order not confirmed',
  ],
  complaint_received: ['收到用户投诉', 'User complaint received'],
  account_risk: ['平台对账户作出风险提醒或限制', 'Account risk notice or restriction from the platform'],
  coins_paid: ['收到代币付款：本系统不出售代币', 'Coins paid: coins are not sold here'],
  refund_mismatch: ['退款结果不符', 'Refund does not match'],
  refund_abnormal: ['退款异常', 'Abnormal refund'],
  refund_closed: ['退款被关闭，款项未退回', 'Refund closed, money not returned'],
  refund_stuck: ['退款未被受理', 'Refund not accepted'],
  invariant_violated: ['数据校验未通过', 'Data check failed'],
  bill_unavailable: ['账单无法下载', 'Bill can’t be downloaded'],
  bill_differences: ['对账有差异', 'Reconciliation differences found'],
  shipping_refused: ['发货信息被拒绝', 'Shipping information rejected'],
  shipping_misconfigured: ['发货信息配置有误', 'Shipping information set up incorrectly'],
  reminder_misconfigured: ['提醒配置有误', 'Reminders set up incorrectly'],
  order_parked: ['订单暂停处理', 'Order on hold'],
  clock_skewed: ['服务器时钟与平台相差超过 1 分钟', 'Server clock differs by more than 1 minute'],
  refund_contradicted: ['平台对同一笔退款给出不一致的结果', 'Conflicting refund results'],
  notification_unreadable: ['通知已验签但无法处理', 'Verified notification can’t be processed'],
  notifications_refused: ['支付通知连续被拒绝', 'Payment notifications are being rejected'],
  prepay_failing: ['下单失败：用户无法支付', 'Checkout failing: users can’t pay'],
  payments_failing: ['我方无法处理付款请求或支付通知', 'Payment requests or notifications fail on our side'],
  platform_unreachable: ['支付平台没有响应', 'Payment platform not responding'],
  payments_missing: ['收不到支付通知', 'Payment notifications not arriving'],
  job_dead: ['后台任务已放弃重试', 'Background job gave up retrying'],
  workers_silent: ['没有正在运行的工作进程', 'No workers running'],
  key_expiring: ['密钥或证书即将到期', 'Key or certificate expiring soon'],
  backup_old: ['最近的备份时间过早', 'Last backup is too old'],
  reconciliation_missing: ['昨日未完成对账', 'Yesterday not reconciled'],
  outbox_stuck: ['事件未能送出', 'Events not delivered'],
  limits_not_shared: ['限流未共享：Redis 不可用', 'Rate limits not shared: Redis unavailable'],
  database_timeline_changed: ['数据库主节点已切换', 'Database primary has changed'],
  endpoint_disabled: ['Webhook 地址已停用', 'Webhook endpoint disabled'],
  export_failing: ['定时导出连续失败', 'Scheduled export keeps failing'],
  threshold_changed: ['退款或价格的保护设置已变更', 'Refund or price safeguard changed'],
  factor_changed: ['有人设置或更换了两步验证或其恢复码', 'Two-step verification or recovery codes changed'],
  price_changed_far: ['价格变动超过一半', 'Price changed by more than half'],
  program_published: ['理疗程序已发布', 'Treatment programs published'],
})

export const alertSeverityWords = codeWords<AlertSeverity>({
  critical: ['严重', 'Critical'],
  warning: ['一般', 'Warning'],
})

export const alertStateWords = codeWords<AlertFilter['state']>({
  open: ['未解决', 'Open'],
  resolved: ['已解决', 'Resolved'],
})

/** By which fact an alert was over without anybody saying so. */
export const healingWords = codeWords<HealedBy>({
  condition_over: ['情况已不存在', 'the condition no longer holds'],
  order_paid: ['订单已支付', 'the order is paid'],
  order_refunded: ['订单已退款', 'the order is refunded'],
  order_decided: ['订单已处理', 'the order was decided'],
  refund_succeeded: ['退款成功', 'the refund succeeded'],
  refund_ended: ['退款已结束', 'the refund ended'],
  refund_accepted: ['退款已被受理', 'the refund was accepted'],
  refund_replaced: ['款项已由另一笔退款退回', 'another refund paid the money back'],
  notification_processed: ['通知已处理', 'the notification was processed'],
  bill_reconciled: ['账单已对账', 'the bill was reconciled'],
  differences_resolved: ['差异已全部处理', 'every difference is resolved'],
  shipping_uploaded: ['发货信息已上传', 'shipping information was uploaded'],
  reminders_sent: ['提醒已恢复发送', 'reminders are sent again'],
  factor_confirmed: ['所有者已确认', 'an owner confirmed it'],
  delivery_confirmed: ['平台已确认发货', 'the platform confirmed the fulfillment'],
})
