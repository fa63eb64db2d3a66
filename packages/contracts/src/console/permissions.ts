import type { OperatorRole } from './operator.ts'

/** Whether operators of this role work with a second factor only. */
export const needsSecondFactor = (role: OperatorRole): boolean => role !== 'viewer'

// Named once each: the table is part of every page of the console.
const owners = ['owner'] as const
const operators = ['operator', 'owner'] as const
const finance = ['finance', 'owner'] as const
const everyActor = ['operator', 'finance', 'owner'] as const

/**
 * Who may do what in the console: the API enforces this table, the console greys out buttons with it.
 * Every role may read lists and details.
 */
export const permissions = {
  'order.sync': everyActor,
  'order.close': everyActor,
  'order.decide': everyActor,
  'order.decide_late': finance,
  'refund.request': finance,
  'refund.approve': finance,
  'refund.retry': finance,
  'subscription.grant': operators,
  'grant.approve': operators,
  'user.disable': operators,
  'user.sessions': operators,
  'device.import': operators,
  'device.disable': operators,
  'device.unbind': operators,
  'report.read': operators,
  'diagnosis.edit': operators,
  'diagnosis.publish': operators,
  'identifier.reveal': operators,
  'notification.payload': operators,
  'notification.replay': operators,
  'alert.resolve': everyActor,
  'alert.channels': operators,
  'inbox.assign': everyActor,
  'note.write': everyActor,
  'tag.set': everyActor,
  'tag.manage': owners,
  'reconciliation.resolve': finance,
  'reconciliation.close_day': finance,
  'month.close': finance,
  'shipping.retry': finance,
  'plan.edit': finance,
  'view.share': everyActor,
  'view.remove_any': owners,
  'checklist.hide_for_all': owners,
  'sample_data.play': owners,
  'setting.edit': owners,
  'key.read': owners,
  'api_key.manage': owners,
  'import.manage': owners,
  'job.manage': owners,
  'operator.manage': owners,
  'audit.everybody': owners,
  'export.orders': finance,
  'export.lists': finance,
  'export.schedule': finance,
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
