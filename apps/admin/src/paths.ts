import type { DeviceImportMode } from '@meridian/contracts'
import { createSerializer } from 'nuqs/server'
import { type DeskViewParams, deskViewParsers } from './features/alerts/desk-params.ts'
import { type AuditListParams, auditListParsers } from './features/audit/audit-list-params.ts'
import { type DeviceListParams, deviceListParsers } from './features/devices/device-list-params.ts'
import { type NotificationParams, notificationParsers } from './features/notifications/notification-params.ts'
import { type OrderListParams, orderListParsers } from './features/orders/order-list-params.ts'
import { type DeskParams, deskParsers } from './features/reconciliation/reconciliation-params.ts'
import { type RefundParams, refundParsers } from './features/refunds/refund-params.ts'
import { type ReportListParams, reportListParsers } from './features/reports/report-list-params.ts'
import { type ShippingParams, shippingParsers } from './features/shipping/shipping-params.ts'
import { type StaffListParams, staffListParsers } from './features/staff/staff-list-params.ts'
import {
  type SubscriptionListParams,
  subscriptionListParsers,
} from './features/subscriptions/subscription-list-params.ts'
import { type UserListParams, userListParsers } from './features/users/user-list-params.ts'

const alertQuery = createSerializer(deskViewParsers)
const notificationQuery = createSerializer(notificationParsers)
const refundQuery = createSerializer(refundParsers)
const auditQuery = createSerializer(auditListParsers)
const staffQuery = createSerializer(staffListParsers)
const orderQuery = createSerializer(orderListParsers)
const userQuery = createSerializer(userListParsers)
const deviceQuery = createSerializer(deviceListParsers)
const deskQuery = createSerializer(deskParsers)
const shippingQuery = createSerializer(shippingParsers)

const reportQuery = createSerializer(reportListParsers)
const subscriptionQuery = createSerializer(subscriptionListParsers)

const withReturn = (path: string, returnPath?: string | null) =>
  returnPath && returnPath !== '/' ? `${path}?${new URLSearchParams({ next: returnPath })}` : path

/** Every address of the console is made here. */
export const paths = {
  home: () => '/dashboard',
  dashboard: () => '/dashboard',
  signIn: (returnPath?: string | null) => withReturn('/sign-in', returnPath),
  newPassword: () => '/new-password',
  secondFactor: () => '/second-factor',
  orders: (params: Partial<OrderListParams> = {}) => orderQuery('/orders', params),
  order: ({ outTradeNo }: { outTradeNo: string }) => `/orders/${encodeURIComponent(outTradeNo)}`,
  subscriptions: (params: Partial<SubscriptionListParams> = {}) =>
    subscriptionQuery('/subscriptions', params),
  reports: (params: Partial<ReportListParams> = {}) => reportQuery('/reports', params),
  report: ({ id }: { id: string }) => `/reports/${encodeURIComponent(id)}`,
  diagnosis: () => '/diagnosis',
  settings: () => '/settings',
  plans: () => '/plans',
  plan: ({ code }: { code: string }) => `/plans/${encodeURIComponent(code)}`,
  subscription: ({ userId }: { userId: string }) => `/subscriptions/${encodeURIComponent(userId)}`,
  users: (params: Partial<UserListParams> = {}) => userQuery('/users', params),
  user: ({ id }: { id: string }) => `/users/${encodeURIComponent(id)}`,
  devices: (params: Partial<DeviceListParams> = {}) => deviceQuery('/devices', params),
  device: ({ serialNumber }: { serialNumber: string }) => `/devices/${encodeURIComponent(serialNumber)}`,
  deviceImport: () => '/devices/import',
  deviceImportFile: ({ mode }: { mode: DeviceImportMode }) => `/console/imports/devices?mode=${mode}`,
  refunds: (params: Partial<RefundParams> = {}) => refundQuery('/refunds', params),
  refund: ({ outRefundNo }: { outRefundNo: string }) => `/refunds/${encodeURIComponent(outRefundNo)}`,
  notifications: (params: Partial<NotificationParams> = {}) => notificationQuery('/notifications', params),
  notification: ({ id }: { id: string }) => `/notifications/${encodeURIComponent(id)}`,
  alerts: (params: Partial<DeskViewParams> = {}) => alertQuery('/alerts', params),
  approvals: () => '/approvals',
  alert: ({ id }: { id: string }) => `/alerts/${encodeURIComponent(id)}`,
  alertChannels: () => '/alerts/channels',
  reconciliation: (params: Partial<DeskParams> = {}) => deskQuery('/reconciliation', params),
  reconciledDay: ({ date }: { date: string }) => `/reconciliation/${date}`,
  shipping: (params: Partial<ShippingParams> = {}) => shippingQuery('/shipping', params),
  jobs: () => '/jobs',
  keys: () => '/keys',
  account: () => '/account',
  staff: (params: Partial<StaffListParams> = {}) => staffQuery('/staff', params),
  staffMember: ({ id }: { id: string }) => `/staff/${encodeURIComponent(id)}`,
  audit: (params: Partial<AuditListParams> = {}) => auditQuery('/audit', params),
  auditEntry: ({ id }: { id: string }) => `/audit/${encodeURIComponent(id)}`,
}
