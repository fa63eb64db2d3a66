import type { OperatorRole } from './operator.ts'

/** Whether operators of this role work with a second factor only. */
export const needsSecondFactor = (role: OperatorRole): boolean => role !== 'viewer'

/**
 * Who may do what in the console: the API enforces this table, the console greys out buttons with it.
 * Every role may read lists and details.
 */
export const permissions = {
  'order.sync': ['operator', 'finance', 'owner'],
  'order.close': ['operator', 'finance', 'owner'],
  'order.decide': ['operator', 'finance', 'owner'],
  'order.decide_late': ['finance', 'owner'],
  'refund.request': ['finance', 'owner'],
  'refund.approve': ['finance', 'owner'],
  'refund.retry': ['finance', 'owner'],
  'subscription.grant': ['operator', 'owner'],
  'grant.approve': ['operator', 'owner'],
  'user.disable': ['operator', 'owner'],
  'user.sessions': ['operator', 'owner'],
  'device.import': ['operator', 'owner'],
  'device.disable': ['operator', 'owner'],
  'device.unbind': ['operator', 'owner'],
  'report.read': ['operator', 'owner'],
  'diagnosis.edit': ['operator', 'owner'],
  'diagnosis.publish': ['operator', 'owner'],
  'identifier.reveal': ['operator', 'owner'],
  'notification.payload': ['operator', 'owner'],
  'notification.replay': ['operator', 'owner'],
  'alert.resolve': ['operator', 'finance', 'owner'],
  'alert.channels': ['operator', 'owner'],
  'inbox.assign': ['operator', 'finance', 'owner'],
  'note.write': ['operator', 'finance', 'owner'],
  'tag.set': ['operator', 'finance', 'owner'],
  'tag.manage': ['owner'],
  'reconciliation.resolve': ['finance', 'owner'],
  'reconciliation.close_day': ['finance', 'owner'],
  'month.close': ['finance', 'owner'],
  'shipping.retry': ['finance', 'owner'],
  'plan.edit': ['finance', 'owner'],
  'view.share': ['operator', 'finance', 'owner'],
  'view.remove_any': ['owner'],
  'checklist.hide_for_all': ['owner'],
  'sample_data.play': ['owner'],
  'setting.edit': ['owner'],
  'key.read': ['owner'],
  'api_key.manage': ['owner'],
  'import.manage': ['owner'],
  'job.manage': ['owner'],
  'operator.manage': ['owner'],
  'audit.everybody': ['owner'],
  'export.orders': ['finance', 'owner'],
  'export.lists': ['finance', 'owner'],
  'export.schedule': ['finance', 'owner'],
} as const satisfies Record<string, readonly OperatorRole[]>
export type Permission = keyof typeof permissions

/** What touches money, settings, keys or a person's identity: needs a second factor not older than ten minutes. */
export const guardedPermissions: readonly Permission[] = [
  'order.decide_late',
  'refund.request',
  'refund.approve',
  'refund.retry',
  'month.close',
  'grant.approve',
  'diagnosis.publish',
  'setting.edit',
  'plan.edit',
  'identifier.reveal',
  'notification.payload',
  'key.read',
  'api_key.manage',
  'import.manage',
  'alert.channels',
  'operator.manage',
  'export.schedule',
]

/** Whether an operator of this role may use this permission. */
export const mayOperator = (role: OperatorRole, permission: Permission): boolean =>
  permissions[permission].some((allowed) => allowed === role)

/** The lists that may leave the console as a file, and what each takes. */
export const exportPermissions = {
  orders: 'export.orders',
  refunds: 'export.lists',
  subscriptions: 'export.lists',
  users: 'export.lists',
  devices: 'export.lists',
  notifications: 'export.lists',
  days: 'export.lists',
  differences: 'export.lists',
  shipments: 'export.lists',
  inquiries: 'export.lists',
  parked: 'export.orders',
  deferred: 'export.lists',
  reports: 'report.read',
  staff: 'operator.manage',
  alerts: 'export.lists',
  rejected: 'export.lists',
  approvals: 'export.lists',
  grants: 'export.lists',
  ledger: 'export.lists',
  audit: 'audit.everybody',
} as const satisfies Record<string, Permission>
export type ExportName = keyof typeof exportPermissions

export const isExport = (name: string): name is ExportName => Object.hasOwn(exportPermissions, name)
