import { alerts } from '@meridian/admin/messages/zh-CN/alerts'
import { notifications } from '@meridian/admin/messages/zh-CN/notifications'
import { order } from '@meridian/admin/messages/zh-CN/order'
import { orders, shipping } from '@meridian/admin/messages/zh-CN/orders'
import { refunds } from '@meridian/admin/messages/zh-CN/refunds'
import { shell } from '@meridian/admin/messages/zh-CN/shell'
import { users } from '@meridian/admin/messages/zh-CN/users'
import type { FaultKind } from '@meridian/payments/testing'

/** What a fault of the switch is called, and what one should then see; what is in quotation marks is shown there in these words. */
export type FaultWords = { name: string; phone: string; console: string }

const byAsking = `订单页的“${order.confirmedBy}”是“${order.channels.sync}”或“${order.channels.sweep}”`
const asked = '支付完成后约四秒显示“支付成功”：小程序没等到通知，自己问了一次。'
const refused = '付不了款：提示“支付平台暂时不可用”。关掉故障后，用“继续支付”付同一笔订单。'
const unprepared = `订单停在“${orders.statuses.created}”，时间线写着“${order.eventKinds.prepay_failed}”；多笔之后出现告警“${alerts.kinds.prepay_failing}”或“${alerts.kinds.platform_unreachable}”。`
const mismatched = `通知的处理结果是“${order.notificationOutcomes.mismatch}”，它没有开通任何天数，出现告警“${alerts.kinds.payment_mismatch}”；查询的内容正确，${byAsking}。`
const badSignature = `${byAsking}；“${shell.pages.notifications}”的“${notifications.rejected}”在一分钟内记下“${notifications.reasons.bad_signature}”，多次之后出现告警“${alerts.kinds.notifications_refused}”。`

/** What each fault of the switch does, in Chinese. */
export const zhFaults: Record<FaultKind, FaultWords> = {
  drop: {
    name: '丢失',
    phone: asked,
    console: `${byAsking}；订单页写着“${order.notificationsEmpty}”半小时后若有两笔如此，出现告警“${alerts.kinds.payments_missing}”。`,
  },
  delay: {
    name: '延迟 5 秒',
    phone: '“正在确认支付结果…”停留约四秒，然后显示“支付成功”。',
    console: `${byAsking}；通知晚到后，处理结果是“${order.notificationOutcomes.already_paid}”，天数不会加两次。`,
  },
  duplicate: {
    name: '重复发送',
    phone: '和平时一样，立即显示“支付成功”，天数只加一次。',
    console: `“${shell.pages.notifications}”里仍是一条，“${notifications.deliveries}”是 2；订单页的天数记录只有一行。`,
  },
  reorder: {
    name: '顺序颠倒',
    phone: asked,
    console: `通知被压到下一条之后，最多一分钟；到达时处理结果是“${order.notificationOutcomes.already_paid}”。`,
  },
  probe: {
    name: '签名探测',
    phone: asked,
    console: `${byAsking}；“${notifications.rejected}”只计数“${notifications.reasons.probe}”，不留样，也不告警。`,
  },
  corrupt_byte: {
    name: '内容被篡改',
    phone: asked,
    console: badSignature,
  },
  wrong_key: {
    name: '签名密钥错误',
    phone: asked,
    console: badSignature,
  },
  unknown_serial: {
    name: '未知的公钥序列号',
    phone: asked,
    console: `${byAsking}；“${shell.pages.notifications}”的“${notifications.rejected}”在一分钟内记下“${notifications.reasons.unknown_serial}”，多次之后出现告警“${alerts.kinds.notifications_refused}”。`,
  },
  clock_skew: {
    name: '时间慢十分钟',
    phone: asked,
    console: `${byAsking}；“${shell.pages.notifications}”的“${notifications.rejected}”在一分钟内记下“${notifications.reasons.stale}”，多次之后出现告警“${alerts.kinds.notifications_refused}”。`,
  },
  wrong_amount: {
    name: '金额错误',
    phone: asked,
    console: mismatched,
  },
  wrong_currency: {
    name: '币种错误',
    phone: asked,
    console: mismatched,
  },
  wrong_app_id: {
    name: '应用号错误',
    phone: asked,
    console: mismatched,
  },
  wrong_mch_id: {
    name: '商户号错误',
    phone: asked,
    console: mismatched,
  },
  wrong_payer: {
    name: '付款人不同',
    phone: '和平时一样，立即显示“支付成功”。',
    console: `订单已支付，订单页提示“${order.payerDiffers}”。`,
  },
  error_before: {
    name: '故障，未处理',
    phone: refused,
    console: unprepared,
  },
  error_after: {
    name: '已处理，却应答故障',
    phone: refused,
    console: unprepared,
  },
  rate_limited: {
    name: '频率限制',
    phone: refused,
    console: unprepared,
  },
  html: {
    name: '应答网页',
    phone: refused,
    console: unprepared,
  },
  unsigned: {
    name: '应答没有签名',
    phone: refused,
    console: unprepared,
  },
  refund_abnormal: {
    name: '退款异常',
    phone: '订单仍是“已支付”，天数不变。',
    console: `在订单页退款：“${shell.pages.refunds}”里的状态变成“${refunds.statuses.abnormal}”，可以“${refunds.redirect}”，并有告警“${alerts.kinds.refund_abnormal}”。`,
  },
  refund_closed: {
    name: '退款关闭',
    phone: '订单仍是“已支付”，天数不变。',
    console: `在订单页退款：“${shell.pages.refunds}”里的状态变成“${refunds.statuses.closed}”，出现告警“${alerts.kinds.refund_closed}”，这笔钱可以再退。`,
  },
  token_expired: {
    name: '访问凭证过期',
    phone: '允许提醒后把时钟拨到到期前：服务通知里收不到提醒。',
    console: `“${shell.pages.users}”里这个用户的“${users.messages}”没有“${users.messageSent}”。`,
  },
  not_subscribed: {
    name: '用户未订阅消息',
    phone: '允许提醒后把时钟拨到到期前：服务通知里收不到提醒。',
    console: `“${shell.pages.users}”里这个用户的“${users.messages}”写着“${users.messageFailures[43101]}”。`,
  },
  shipping_not_ready: {
    name: '尚不能上传发货信息',
    phone: '没有变化：已支付的订单照常有效。',
    console: `先在“${shell.pages.settings}”里开启上传：“${shell.pages.shipping}”里的订单停在“${shipping.states.pending}”，系统会再试。`,
  },
}
