import {
  type AlertRow,
  type ApprovalRow,
  type AuditRow,
  alertKindWords,
  alertSeverityWords,
  type GrantRequestRow,
  grantKindWords,
  grantRequestStateWords,
  healedByOf,
  healingWords,
  type LedgerEntry,
  operatorRoleWords,
  type RejectedDelivery,
  rejectionReasonWords,
  severityOfAlert,
  waitingKindWords,
} from '@meridian/contracts'
import { featuresIn, named } from './code-names.ts'
import { count, type ExportColumn, id, moment, soldPlan, text, words, yuanOrNone } from './sheet.ts'

/** What an alert says of its own urgency. */
const ownSeverity = ({ detail: { severity } }: AlertRow): string | null =>
  typeof severity === 'string' ? severity : null

export const alertColumns: ExportColumn<AlertRow>[] = [
  id('告警编号', 'Alert ID', (row) => row.id),
  words('告警', 'Alert', (row, language) => named(alertKindWords, language, row.kind)),
  words(
    '严重程度',
    'Severity',
    (row, language) => alertSeverityWords[language][severityOfAlert(row.kind, ownSeverity(row))],
  ),
  text('对象', 'Subject', (row) => row.subject),
  id('订单号', 'Order number', (row) => row.outTradeNo),
  id('退款单号', 'Refund number', (row) => row.outRefundNo),
  count('发生次数', 'Occurrences', (row) => row.times),
  moment('首次发生', 'First seen', (row) => row.openedAt),
  moment('最近发生', 'Last seen', (row) => row.lastAt),
  text('负责人', 'Assignee', (row) => row.ownerEmail),
  text('解决人', 'Resolved by', (row) => row.resolvedByEmail),
  {
    zh: '解决说明',
    en: 'Resolution',
    cell: ({ resolution }, language) => {
      const healed = healedByOf(resolution)
      if (healed) return { as: 'words', text: healingWords[language][healed] }
      return resolution === null ? null : { as: 'text', text: resolution }
    },
  },
  moment('解决时间', 'Resolved', (row) => row.resolvedAt),
]

/** Nothing of what was in it: it did not verify. */
export const rejectedColumns: ExportColumn<RejectedDelivery>[] = [
  moment('时间', 'Time', (row) => row.at),
  words('原因', 'Reason', (row, language) => named(rejectionReasonWords, language, row.reason)),
  text('来源地址', 'Source address', (row) => row.source),
  id('平台密钥序列号', 'Platform key serial', ({ headers }) => headers['wechatpay-serial'] ?? null),
  count('字节数', 'Bytes', (row) => row.bodyBytes),
]

/** A member of what is kept of a change, where it is a number: it may be of a release that knows more. */
function numberIn(kept: unknown, name: string): number | null {
  const value: unknown = typeof kept === 'object' && kept !== null ? Reflect.get(kept, name) : null
  return typeof value === 'number' ? value : null
}

const asJson = (kept: unknown): string | null => (kept === null ? null : JSON.stringify(kept))

export const approvalColumns: ExportColumn<ApprovalRow>[] = [
  words('事项', 'What', (row, language) => waitingKindWords[language][row.kind]),
  id('对象', 'Subject', (row) => row.subject),
  yuanOrNone('退款金额（元）', 'Refund (yuan)', ({ after }) => numberIn(after, 'amountFen')),
  text('变更前', 'Before', (row) => asJson(row.before)),
  text('变更后', 'After', (row) => asJson(row.after)),
  text('申请人', 'Requested by', (row) => row.requestedBy),
  moment('申请时间', 'Requested', (row) => row.requestedAt),
  moment('自动生效时间', 'Takes effect', (row) => row.dueAt),
]

export const grantRequestColumns: ExportColumn<GrantRequestRow>[] = [
  id('申请编号', 'Request ID', (row) => row.id),
  id('用户编号', 'User ID', (row) => row.userId),
  count('天数', 'Days', (row) => row.days),
  text('原因', 'Reason', (row) => row.reason),
  words('状态', 'Status', (row, language) => grantRequestStateWords[language][row.state]),
  text('申请人', 'Requested by', (row) => row.requestedBy),
  moment('申请时间', 'Requested', (row) => row.createdAt),
  text('审批人', 'Decided by', (row) => row.decidedBy),
  moment('审批时间', 'Decided', (row) => row.decidedAt),
]

export const ledgerColumns: ExportColumn<LedgerEntry>[] = [
  count('序号', 'Entry', (row) => row.seq),
  words('类型', 'Type', (row, language) => grantKindWords[language][row.kind]),
  count('天数', 'Days', (row) => row.days),
  count('未使用天数', 'Unused days', (row) => row.unusedDays),
  soldPlan((row) => row.planName),
  words('包含功能', 'Features', (row, language) => featuresIn(row.features, language)),
  moment('生效时间', 'Effective', (row) => row.effectiveAt),
  moment('变更前到期', 'Expired before', (row) => row.expiresBefore),
  moment('变更后到期', 'Expires after', (row) => row.expiresAfter),
  id('订单号', 'Order number', (row) => row.outTradeNo),
  id('退款单号', 'Refund number', (row) => row.outRefundNo),
  id('设备序列号', 'Serial number', (row) => row.serialNumber),
  text('原因', 'Reason', (row) => row.reason),
  text('操作人', 'Operator', (row) => row.operatorEmail),
  text('系统', 'System', (row) => row.apiKeyName),
]

/** Acts by their codes: by these the list is narrowed, and they stay as they are from release to release. */
export const auditColumns: ExportColumn<AuditRow>[] = [
  id('记录编号', 'Entry ID', (row) => row.id),
  moment('时间', 'Time', (row) => row.at),
  text('操作员', 'Operator', (row) => row.operatorEmail),
  words('当前角色', 'Current role', (row, language) => operatorRoleWords[language][row.operatorRole]),
  id('操作代码', 'Action code', (row) => row.action),
  id('对象类型', 'Subject type', (row) => row.subjectType),
  id('对象编号', 'Subject ID', (row) => row.subjectId),
  id('IP 地址', 'IP address', (row) => row.address),
  id('请求编号', 'Request ID', (row) => row.requestId),
]
