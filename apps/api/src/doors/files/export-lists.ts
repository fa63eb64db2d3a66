import {
  confirmedByWords,
  DeviceListQuery,
  type DeviceRow,
  deviceOriginWords,
  type ExportName,
  netFenOfOrder,
  OrderListQuery,
  type OrderRow,
  orderStateOf,
  orderStateWords,
  paymentChannelWords,
  RefundListQuery,
  type RefundRow,
  refundOriginOf,
  refundOriginWords,
  refundReasonWords,
  refundStatusWords,
  SubscriptionListQuery,
  type SubscriptionRow,
  subscriptionStateWords,
  type TagChip,
  UserListQuery,
  type UserRow,
  userStateWords,
} from '@meridian/contracts'
import { countDevices, listDevices } from '../../devices/list-devices.ts'
import { listOrders } from '../../orders/list-orders.ts'
import { sumOrders } from '../../orders/sum-orders.ts'
import { listRefunds, sumRefunds } from '../../refunds/list-refunds.ts'
import { countSubscriptions, listSubscriptions } from '../../subscriptions/list-subscriptions.ts'
import { countUsers, listUsers } from '../../users/list-users.ts'
import { featuresIn } from './code-names.ts'
import { decisionExports } from './export-decisions.ts'
import { deskExports } from './export-desks.ts'
import {
  devicePhrases,
  orderPhrases,
  refundPhrases,
  subscriptionPhrases,
  userPhrases,
} from './export-filters.ts'
import { exportOf } from './export-source.ts'
import {
  count,
  type ExportColumn,
  id,
  moment,
  soldPlan,
  text,
  words,
  yesNo,
  yuan,
  yuanOrNone,
} from './sheet.ts'

/** What operators marked a row with. */
const tagged = <Row extends { tags: readonly TagChip[] }>(): ExportColumn<Row> =>
  text('标签', 'Tags', ({ tags }) => tags.map(({ label }) => label).join(', ') || null)

const orderColumns: ExportColumn<OrderRow>[] = [
  id('订单号', 'Order number', (order) => order.outTradeNo),
  words('状态', 'Status', (order, language) => orderStateWords[language][orderStateOf(order)]),
  text('套餐代码', 'Plan code', (order) => order.planCode),
  soldPlan((order) => order.planName),
  yuan('金额（元）', 'Amount (yuan)', (order) => order.amountFen),
  yuan('已退款（元）', 'Refunded (yuan)', (order) => order.refundedFen),
  id('用户编号', 'User ID', (order) => order.userId),
  id('微信支付交易号', 'WeChat transaction ID', (order) => order.transactionId),
  words(
    '确认方式',
    'Confirmed by',
    ({ confirmedBy }, language) => confirmedBy && confirmedByWords[language][confirmedBy],
  ),
  yesNo('逾期付款', 'Late payment', (order) => order.late),
  yesNo('暂停处理', 'On hold', (order) => order.parked),
  moment('创建时间', 'Created', (order) => order.createdAt),
  moment('支付时间', 'Paid', (order) => order.paidAt),
  words('渠道', 'Channel', (order, language) => paymentChannelWords[language][order.channel]),
  tagged(),
  yuanOrNone('至今净额（元）', 'Net to date (yuan)', netFenOfOrder),
  yuanOrNone('手续费（元）', 'Fee (yuan)', (order) => order.feeFen),
]

const refundColumns: ExportColumn<RefundRow>[] = [
  id('退款单号', 'Refund number', (refund) => refund.outRefundNo),
  id('订单号', 'Order number', (refund) => refund.outTradeNo),
  yuan('金额（元）', 'Amount (yuan)', (refund) => refund.amountFen),
  words('状态', 'Status', (refund, language) => refundStatusWords[language][refund.state]),
  words('原因', 'Reason', (refund, language) => refundReasonWords[language][refund.reason]),
  yesNo('保留天数', 'Keeps days', (refund) => refund.keepDays),
  words(
    '申请人',
    'Requested by',
    (refund, language) => refund.requestedByEmail ?? refundOriginWords[language][refundOriginOf(refund)],
  ),
  text('批准人', 'Approved by', (refund) => refund.approvedByEmail),
  text('微信错误代码', 'WeChat error code', (refund) => refund.failure),
  moment('申请时间', 'Requested', (refund) => refund.createdAt),
  moment('退款时间', 'Refunded', (refund) => refund.succeededAt),
  words('渠道', 'Channel', (refund, language) => paymentChannelWords[language][refund.channel]),
]

const subscriptionColumns: ExportColumn<SubscriptionRow>[] = [
  id('用户编号', 'User ID', (row) => row.userId),
  words(
    '状态',
    'Status',
    (row, language) => subscriptionStateWords[language][row.isActive ? 'active' : 'expired'],
  ),
  count('剩余天数', 'Days left', (row) => row.remainingDays),
  moment('到期时间', 'Expires', (row) => row.expiresAt),
  soldPlan((row) => row.planName),
  words('包含功能', 'Features', ({ features }, language) => featuresIn(features, language)),
]

const userColumns: ExportColumn<UserRow>[] = [
  id('用户编号', 'User ID', (user) => user.id),
  text('昵称', 'Nickname', (user) => user.nickname),
  words('状态', 'Status', (user, language) => userStateWords[language][user.state]),
  count('剩余天数', 'Days left', (user) => user.remainingDays),
  count('设备数', 'Devices', (user) => user.devices),
  moment('首次登录', 'First sign-in', (user) => user.createdAt),
  tagged(),
]

const deviceColumns: ExportColumn<DeviceRow>[] = [
  id('序列号', 'Serial number', (device) => device.serialNumber),
  text('型号', 'Model', (device) => device.model),
  words(
    '来源',
    'Origin',
    (device, language) => deviceOriginWords[language][device.inventory ? 'inventory' : 'phone'],
  ),
  yesNo('可证明', 'Can prove itself', (device) => device.hasSecret),
  id('用户编号', 'User ID', (device) => device.owner?.userId ?? null),
  moment('绑定时间', 'Bound', (device) => device.owner?.boundAt ?? null),
  moment('停用时间', 'Disabled', (device) => device.disabledAt),
  moment('登记时间', 'First known', (device) => device.createdAt),
  tagged(),
]

/** Every list that may leave the console as a file. */
export const exports = {
  ...deskExports,
  ...decisionExports,
  orders: exportOf({
    Query: OrderListQuery,
    columns: orderColumns,
    phrases: orderPhrases,
    list: listOrders,
    count: sumOrders,
  }),
  refunds: exportOf({
    Query: RefundListQuery,
    columns: refundColumns,
    phrases: refundPhrases,
    list: listRefunds,
    count: sumRefunds,
  }),
  subscriptions: exportOf({
    Query: SubscriptionListQuery,
    columns: subscriptionColumns,
    phrases: subscriptionPhrases,
    list: listSubscriptions,
    count: countSubscriptions,
  }),
  users: exportOf({
    Query: UserListQuery,
    columns: userColumns,
    phrases: userPhrases,
    list: listUsers,
    count: countUsers,
  }),
  devices: exportOf({
    Query: DeviceListQuery,
    columns: deviceColumns,
    phrases: devicePhrases,
    list: listDevices,
    count: countDevices,
  }),
} as const satisfies Record<ExportName, unknown>
