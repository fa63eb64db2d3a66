import type { Permission } from './permissions.ts'

/** The lists that may leave the console as a file, and what each takes. */
export const exportPermissions = {
  orders: 'export.orders',
  refunds: 'export.lists',
  subscriptions: 'export.lists',
  users: 'export.lists',
  devices: 'export.lists',
} as const satisfies Record<string, Permission>
export type ExportName = keyof typeof exportPermissions

export const isExport = (name: string): name is ExportName => name in exportPermissions
