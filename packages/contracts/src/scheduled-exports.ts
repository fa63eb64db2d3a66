import type { ExportName } from './console/permissions.ts'

/** What a schedule may take out of the day before: the list, and by which of its instants a row belongs to that day. */
export const scheduledExports = {
  orders: { list: 'orders', from: 'from', to: 'to' },
  payments: { list: 'orders', from: 'paidFrom', to: 'paidTo' },
  refunds: { list: 'refunds', from: 'from', to: 'to' },
  settled_refunds: { list: 'refunds', from: 'succeededFrom', to: 'succeededTo' },
  users: { list: 'users', from: 'from', to: 'to' },
  devices: { list: 'devices', from: 'from', to: 'to' },
  notifications: { list: 'notifications', from: 'from', to: 'to' },
} as const satisfies Record<string, { list: ExportName; from: string; to: string }>

export type ScheduledKind = keyof typeof scheduledExports

export const isScheduledKind = (kind: string): kind is ScheduledKind => Object.hasOwn(scheduledExports, kind)

/** Where the file of a schedule goes: kept for download alone, or sent to a store with the interface of Amazon S3 as well. */
export const exportTargets = ['download', 's3'] as const

/** How many schedules there may be: each writes a file a day. */
export const MOST_EXPORT_SCHEDULES = 20
/** How long a file may be kept for download. */
export const MOST_KEPT_DAYS = 30
