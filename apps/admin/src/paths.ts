import type { DeviceImportMode, SubjectReference } from '@meridian/contracts'
import { addresses } from './addresses.ts'

const withQuery = (path: string, query: Record<string, string> | null) =>
  query ? `${path}?${new URLSearchParams(query)}` : path

/** Every address of the console is made here, but for those of the developers' pages (`developer-paths.ts`). */
export const paths = {
  home: () => '/dashboard',
  dashboard: () => '/dashboard',
  signIn: (next?: string | null) => withQuery('/sign-in', next && next !== '/' ? { next } : null),
  /** Where somebody shows anew at the company who they are; `done` once they have. */
  stepUp: (done?: 'yes') => withQuery('/step-up', done ? { done } : null),
  newPassword: () => '/new-password',
  secondFactor: () => '/second-factor',
  inbox: addresses.inbox.path,
  orders: addresses.orders.path,
  order: ({ outTradeNo }: { outTradeNo: string }) => `/orders/${encodeURIComponent(outTradeNo)}`,
  receipt: ({ outTradeNo }: { outTradeNo: string }) => `/orders/${encodeURIComponent(outTradeNo)}/receipt`,
  subscriptions: addresses.subscriptions.path,
  reports: addresses.reports.path,
  report: ({ id }: { id: string }) => `/reports/${encodeURIComponent(id)}`,
  diagnosis: () => '/diagnosis',
  settings: () => '/settings',
  plans: () => '/plans',
  plan: ({ code }: { code: string }) => `/plans/${encodeURIComponent(code)}`,
  subscription: ({ userId }: { userId: string }) => `/subscriptions/${encodeURIComponent(userId)}`,
  users: addresses.users.path,
  user: ({ id }: { id: string }) => `/users/${encodeURIComponent(id)}`,
  devices: addresses.devices.path,
  device: ({ serialNumber }: { serialNumber: string }) => `/devices/${encodeURIComponent(serialNumber)}`,
  deviceImport: () => '/devices/import',
  deviceImportFile: ({ mode }: { mode: DeviceImportMode }) => `/console/imports/devices?mode=${mode}`,
  refunds: addresses.refunds.path,
  refund: ({ outRefundNo }: { outRefundNo: string }) => `/refunds/${encodeURIComponent(outRefundNo)}`,
  inquiries: addresses.inquiries.path,
  notifications: addresses.notifications.path,
  notification: ({ id }: { id: string }) => `/notifications/${encodeURIComponent(id)}`,
  alerts: addresses.alerts.path,
  approvals: () => '/approvals',
  alert: ({ id }: { id: string }) => `/alerts/${encodeURIComponent(id)}`,
  alertChannels: () => '/alerts/channels',
  reconciliation: addresses.reconciliation.path,
  reconciledDay: ({ date }: { date: string }) => `/reconciliation/${date}`,
  difference: ({ id }: { id: string }) => `/reconciliation/differences/${encodeURIComponent(id)}`,
  finance: (month?: string) => withQuery('/finance', month ? { month } : null),
  revenue: ({ month }: { month?: string } = {}) => withQuery('/revenue', month ? { month } : null),
  shipping: addresses.shipping.path,
  tags: addresses.tags.path,
  developers: () => '/developers',
  exports: () => '/exports',
  jobs: () => '/jobs',
  keys: () => '/keys',
  account: () => '/account',
  checklist: () => '/getting-started',
  staff: addresses.staff.path,
  staffMember: ({ id }: { id: string }) => `/staff/${encodeURIComponent(id)}`,
  audit: addresses.audit.path,
  auditEntry: ({ id }: { id: string }) => `/audit/${encodeURIComponent(id)}`,
}

/** The page of a thing. */
export function pathOfSubject({ kind, id }: SubjectReference): string {
  switch (kind) {
    case 'order':
      return paths.order({ outTradeNo: id })
    case 'refund':
      return paths.refund({ outRefundNo: id })
    case 'user':
      return paths.user({ id })
    case 'device':
      return paths.device({ serialNumber: id })
    case 'difference':
      return paths.difference({ id })
    case 'alert':
      return paths.alert({ id })
  }
}

/** How a note is named on the page of what it was written on. */
export const noteAnchor = (id: string): string => `note-${id}`

/** The same, at one of the notes on it. */
export const pathOfNote = ({ id, subject }: { id: string; subject: SubjectReference }): string =>
  `${pathOfSubject(subject)}#${noteAnchor(id)}`
