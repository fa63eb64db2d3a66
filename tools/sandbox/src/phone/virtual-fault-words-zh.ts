import { alerts } from '@meridian/admin/messages/zh-CN/alerts'
import { notifications } from '@meridian/admin/messages/zh-CN/notifications'
import { order } from '@meridian/admin/messages/zh-CN/order'
import { refunds } from '@meridian/admin/messages/zh-CN/refunds'
import { shell } from '@meridian/admin/messages/zh-CN/shell'
import type { VirtualFault } from './fault-switches.ts'
import type { FaultWords } from './fault-words-zh.ts'

const byAsking = `订单页的“${order.confirmedBy}”是“${order.channels.sync}”或“${order.channels.sweep}”`
const asked = '支付完成后约四秒显示“支付成功”：小程序没等到推送，自己问了一次。'
const asAlways = '和平时一样，立即显示“支付成功”。'
const mismatched = `推送的处理结果是“${order.notificationOutcomes.mismatch}”，它没有开通任何天数，出现告警“${alerts.kinds.payment_mismatch}”，平台在 2、4、8…秒后重复；查询的内容正确，${byAsking}。`
const rejected = (reason: string) =>
  `${byAsking}；“${shell.pages.notifications}”的“${notifications.rejected}”在一分钟内记下“${reason}”，多次之后出现告警“${alerts.kinds.notifications_refused}”。`
const unasked =
  '付款仍立即显示“支付成功”，因为推送照常到达；收起付款页面后显示“结果确认中”，因为谁也不知道是否付过款。'
const byPush = `推送确认的订单不受影响；只能靠查询的订单要等平台恢复，${byAsking}。`

/** What each fault of virtual payment does, in Chinese. */
export const zhVirtualFaults: Record<VirtualFault, FaultWords> = {
  push_drop: {
    name: '推送丢失',
    phone: asked,
    console: `${byAsking}；随后 API 告诉平台已发货。`,
  },
  push_delay: {
    name: '推送延迟 5 秒',
    phone: '“正在确认支付结果…”停留约四秒，然后显示“支付成功”。',
    console: `${byAsking}；推送晚到后，处理结果是“${order.notificationOutcomes.already_paid}”，天数不会加两次。`,
  },
  push_duplicate: {
    name: '推送重复',
    phone: '和平时一样，立即显示“支付成功”，天数只加一次。',
    console: `“${shell.pages.notifications}”里仍是一条，“${notifications.deliveries}”是 2；订单页的天数记录只有一行。`,
  },
  push_reorder: {
    name: '推送顺序颠倒',
    phone: asked,
    console: `推送被压到下一条之后，最多一分钟；到达时处理结果是“${order.notificationOutcomes.already_paid}”。`,
  },
  push_corrupt_byte: {
    name: '推送被篡改',
    phone: asked,
    console: rejected(notifications.reasons.bad_signature),
  },
  push_wrong_key: {
    name: '推送的 Token 错误',
    phone: asked,
    console: rejected(notifications.reasons.bad_signature),
  },
  push_clock_skew: {
    name: '推送的时间慢十分钟',
    phone: asAlways,
    console: `没有变化：推送可以沿用旧时间重复，所以不检查时间，订单页的“${order.confirmedBy}”是“${order.channels.notification}”。`,
  },
  push_is_probe: {
    name: '模拟推送（IsMock）',
    phone: asked,
    console: `模拟推送在任何环境都不开通天数，只计数；${byAsking}。`,
  },
  push_wrong_amount: { name: '推送的金额错误', phone: asked, console: mismatched },
  push_wrong_product: { name: '推送的道具错误', phone: asked, console: mismatched },
  push_wrong_env: { name: '推送来自另一环境', phone: asked, console: mismatched },
  push_wrong_app_id: {
    name: '推送给另一小程序',
    phone: asked,
    console: rejected(notifications.reasons.undecryptable),
  },
  push_wrong_payer: {
    name: '推送的付款人不同',
    phone: asAlways,
    console: `订单已支付，订单页提示“${order.payerDiffers}”。`,
  },
  xpay_error_before: { name: '查询与退款故障', phone: unasked, console: byPush },
  xpay_rate_limited: { name: '查询与退款限频', phone: unasked, console: byPush },
  xpay_html: { name: '查询与退款应答网页', phone: unasked, console: byPush },
  xpay_token_expired: {
    name: '查询时访问凭证总过期',
    phone: unasked,
    console: `每次调用换一次新凭证再试一次，仍然失败；${byPush}`,
  },
  xpay_refund_closed: {
    name: '虚拟支付退款失败',
    phone: '订单仍是“已支付”，天数不变。',
    console: `在订单页退款：“${shell.pages.refunds}”里的状态变成“${refunds.statuses.closed}”，出现告警“${alerts.kinds.refund_closed}”，这笔钱可以再退。`,
  },
}
