import {
  type AppleInquiryRow,
  type DeferredDay,
  type Difference,
  dayStateWords,
  differenceActionWords,
  differenceKindWords,
  differenceResolutionWords,
  differenceStateWords,
  inquiryOpinionWords,
  inquiryReasonWords,
  memberStateWords,
  type NotificationRow,
  notificationOutcomeWords,
  notificationTypeWords,
  operatorRoleWords,
  orderStatusWords,
  type ParkedRow,
  parkReasonWords,
  paymentChannelWords,
  type ReconciledDay,
  type ReportRow,
  reportKindWords,
  type StaffMember,
  shipmentStateWords,
  type WaitingShipment,
} from '@meridian/contracts'
import type { Language } from '../problem.ts'
import { named } from './code-names.ts'
import { count, type ExportColumn, id, moment, soldPlan, text, words, yesNo, yuan } from './sheet.ts'

const notificationTypeOf = (language: Language): Readonly<Record<string, string>> =>
  notificationTypeWords[language]

export const notificationColumns: ExportColumn<NotificationRow>[] = [
  id('通知编号', 'Notification ID', (row) => row.id),
  words('结果', 'Outcome', (row, language) => notificationOutcomeWords[language][row.outcome]),
  words(
    '类型',
    'Type',
    ({ eventType }, language) =>
      notificationTypeOf(language)[eventType.toLowerCase().replace('.', '_')] ?? eventType,
  ),
  id('订单号', 'Order number', (row) => row.outTradeNo),
  count('投递次数', 'Deliveries', (row) => row.deliveries),
  moment('首次投递', 'First delivery', (row) => row.firstAt),
  moment('最近投递', 'Last delivery', (row) => row.lastAt),
]

export const dayColumns: ExportColumn<ReconciledDay>[] = [
  id('账单日', 'Bill date', (day) => day.date),
  words('状态', 'Status', (day, language) => dayStateWords[language][day.state]),
  yuan('订单（元）', 'Orders (yuan)', (day) => day.orderFen),
  yuan('账本（元）', 'Ledger (yuan)', (day) => day.ledgerFen),
  yuan('账单（元）', 'Bill (yuan)', (day) => day.billFen),
  yesNo('差额已解释', 'Explained', (day) => day.explained),
  count('未解决的差异', 'Open differences', (day) => day.openDifferences),
  count('差异', 'Differences', (day) => day.differences),
  count('关账后调整', 'Adjustments', (day) => day.adjustments),
  moment('核对时间', 'Matched', (day) => day.matchedAt),
  moment('关账时间', 'Closed', (day) => day.closedAt),
  text('关账人', 'Closed by', (day) => day.closedBy),
]

export const differenceColumns: ExportColumn<Difference>[] = [
  id('账单日', 'Bill date', (row) => row.date),
  words('类型', 'Type', (row, language) => differenceKindWords[language][row.kind]),
  words('状态', 'Status', (row, language) => differenceStateWords[language][row.state]),
  words('渠道', 'Channel', (row, language) => paymentChannelWords[language][row.channel]),
  id('订单号', 'Order number', (row) => row.outTradeNo),
  id('微信支付交易号', 'WeChat transaction ID', (row) => row.transactionId),
  id('退款单号', 'Refund number', (row) => row.outRefundNo),
  yuan('账单减订单（元）', 'Bill less orders (yuan)', (row) => row.billGapFen),
  yuan('订单减账本（元）', 'Orders less ledger (yuan)', (row) => row.ledgerGapFen),
  words('建议', 'Suggestion', (row, language) => named(differenceActionWords, language, row.suggestedAction)),
  yesNo('关账后调整', 'Adjustment after closing', (row) => row.adjustment),
  text('负责人', 'Assignee', (row) => row.ownerEmail),
  words('解决说明', 'Resolution', (row, language) =>
    named(differenceResolutionWords, language, row.resolution),
  ),
  text('解决人', 'Resolved by', (row) => row.resolvedByEmail),
  moment('解决时间', 'Resolved', (row) => row.resolvedAt),
  moment('发现时间', 'Found', (row) => row.foundAt),
]

export const shipmentColumns: ExportColumn<WaitingShipment>[] = [
  id('订单号', 'Order number', (row) => row.outTradeNo),
  words('状态', 'Status', (row, language) => shipmentStateWords[language][row.state]),
  yuan('金额（元）', 'Amount (yuan)', (row) => row.amountFen),
  yuan('已退款（元）', 'Refunded (yuan)', (row) => row.refundedFen),
  count('尝试次数', 'Attempts', (row) => row.attempts),
  text('最近错误', 'Last error', (row) => row.lastCode),
  moment('支付时间', 'Paid', (row) => row.paidAt),
]

export const inquiryColumns: ExportColumn<AppleInquiryRow>[] = [
  id('支付尝试编号', 'Attempt number', (row) => row.attemptNo),
  id('订单号', 'Order number', (row) => row.outTradeNo),
  yesNo('同意退款', 'Refund accepted', (row) => row.letPass),
  words('依据', 'Decided by', (row, language) => named(inquiryOpinionWords, language, row.opinion)),
  words('用户的原因', 'User’s reason', (row, language) => named(inquiryReasonWords, language, row.reason)),
  text('提供的依据', 'Evidence given', (row) => row.evidence || null),
  count('询问次数', 'Times asked', (row) => row.asked),
  moment('申请时间', 'Requested', (row) => row.requestedAt),
  moment('回答时间', 'Answered', (row) => row.answeredAt),
]

/** Whose report it is and when it was made: nothing that was measured. */
export const reportColumns: ExportColumn<ReportRow>[] = [
  id('报告编号', 'Report ID', (row) => row.id),
  words('类型', 'Type', (row, language) => reportKindWords[language][row.kind]),
  id('用户编号', 'User ID', (row) => row.userId),
  id('设备序列号', 'Serial number', (row) => row.serialNumber),
  id('程序代码', 'Program code', (row) => row.programCode),
  moment('开始时间', 'Start', (row) => row.startedAt),
  moment('结束时间', 'End', (row) => row.endedAt),
  moment('上传时间', 'Uploaded', (row) => row.createdAt),
]

export const parkedColumns: ExportColumn<ParkedRow>[] = [
  id('订单号', 'Order number', (row) => row.outTradeNo),
  words('状态', 'Status', (row, language) => orderStatusWords[language][row.status]),
  words('原因', 'Reason', (row, language) => named(parkReasonWords, language, row.parkReason)),
  soldPlan((row) => row.planName),
  count('天数', 'Days', (row) => row.durationDays),
  yuan('金额（元）', 'Amount (yuan)', (row) => row.amountFen),
  yesNo('逾期付款', 'Late payment', (row) => row.late),
  yesNo('已发放天数', 'Days given', (row) => row.granted),
  id('用户编号', 'User ID', (row) => row.userId),
  moment('创建时间', 'Created', (row) => row.createdAt),
  moment('支付时间', 'Paid', (row) => row.paidAt),
]

function memberStateOf({ disabledAt, mustChangePassword }: StaffMember) {
  if (disabledAt) return 'disabled'
  return mustChangePassword ? 'invited' : 'enabled'
}

export const staffColumns: ExportColumn<StaffMember>[] = [
  text('邮箱', 'Email', (row) => row.email),
  text('姓名', 'Name', (row) => row.name),
  words('角色', 'Role', (row, language) => operatorRoleWords[language][row.role]),
  words('状态', 'Status', (row, language) => memberStateWords[language][memberStateOf(row)]),
  yesNo('两步验证', 'Two-step verification', (row) => row.enrolled),
  count('会话', 'Sessions', (row) => row.openSessions),
  moment('最近使用', 'Last used', (row) => row.lastSeenAt),
  moment('创建时间', 'Created', (row) => row.createdAt),
]

/** What is taken off stands below zero, as in the month for the accountant. */
export const deferredColumns: ExportColumn<DeferredDay>[] = [
  { zh: '日期', en: 'Date', cell: ({ day }) => ({ as: 'day', day }) },
  yuan('期初递延收入（元）', 'Opening deferred income (yuan)', (day) => day.openingFen),
  yuan('新增（元）', 'New (yuan)', (day) => day.newFen),
  yuan('退款（元）', 'Refunded (yuan)', (day) => -day.refundedFen),
  yuan('确认收入（元）', 'Recognized (yuan)', (day) => -day.earnedFen),
  yuan('期末递延收入（元）', 'Closing deferred income (yuan)', (day) => day.closingFen),
]
