import {
  AlertListQuery,
  ApprovalListQuery,
  AuditListQuery,
  alertKindWords,
  alertStateWords,
  GrantRequestListQuery,
  grantRequestStateWords,
  LedgerQuery,
  RejectedListQuery,
  rejectionReasonWords,
} from '@meridian/contracts'
import { countAlerts, listAlerts } from '../../alerts/list-alerts.ts'
import { countApprovals, listApprovals } from '../../approvals/list-waiting.ts'
import { countAudit, listAudit } from '../../audit/list-audit.ts'
import { countRejections, listRejections } from '../../notifications/rejected-deliveries.ts'
import { countGrantRequests, listGrantRequestRows } from '../../subscriptions/list-grant-requests.ts'
import { listLedger } from '../../subscriptions/show-ledger.ts'
import { named } from './code-names.ts'
import {
  alertColumns,
  approvalColumns,
  auditColumns,
  grantRequestColumns,
  ledgerColumns,
  rejectedColumns,
} from './export-decision-columns.ts'
import { asWritten, byName, within } from './export-filters.ts'
import { exportOf } from './export-source.ts'

/** Whoever may take the audit log out may read about everybody. */
const everybody = { onlyOperatorId: null }

/** What people have to decide, what they decided and did. */
export const decisionExports = {
  alerts: exportOf({
    Query: AlertListQuery,
    columns: alertColumns,
    phrases: {
      state: byName('状态', 'Status', ({ state }, language) => alertStateWords[language][state]),
      kind: byName(
        '告警',
        'Alert',
        ({ kind = null }, language) => named(alertKindWords, language, kind) ?? undefined,
      ),
    },
    list: listAlerts,
    count: countAlerts,
  }),
  rejected: exportOf({
    Query: RejectedListQuery,
    columns: rejectedColumns,
    phrases: {
      reason: byName(
        '原因',
        'Reason',
        ({ reason = null }, language) => named(rejectionReasonWords, language, reason) ?? undefined,
      ),
      // These bound what is counted, and not the sample that is listed.
      from: null,
      to: null,
    },
    list: listRejections,
    count: countRejections,
  }),
  approvals: exportOf({
    Query: ApprovalListQuery,
    columns: approvalColumns,
    phrases: {},
    list: listApprovals,
    count: countApprovals,
  }),
  grants: exportOf({
    Query: GrantRequestListQuery,
    columns: grantRequestColumns,
    phrases: {
      state: byName(
        '状态',
        'Status',
        ({ state }, language) => state && grantRequestStateWords[language][state],
      ),
      userId: asWritten('用户编号', 'User ID', ({ userId }) => userId),
    },
    list: listGrantRequestRows,
    count: countGrantRequests,
  }),
  ledger: exportOf({
    Query: LedgerQuery,
    columns: ledgerColumns,
    phrases: { userId: asWritten('用户编号', 'User ID', ({ userId }) => userId) },
    list: listLedger,
  }),
  audit: exportOf({
    Query: AuditListQuery,
    columns: auditColumns,
    phrases: {
      operator: asWritten('操作员', 'Operator', ({ operator }) => operator),
      action: asWritten('操作代码', 'Action code', ({ action }) => action),
      from: within('时间', 'Time', ({ from, to }) => ({ from, to })),
      to: null,
      search: asWritten('搜索', 'Search', ({ search }) => search),
    },
    list: (pool, query) => listAudit(pool, query, everybody),
    count: (pool, query) => countAudit(pool, query, everybody),
  }),
} as const
