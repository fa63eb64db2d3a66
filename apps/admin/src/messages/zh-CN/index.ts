import { account } from './account.ts'
import { alertChannels } from './alert-channels.ts'
import { alerts } from './alerts.ts'
import { approvals } from './approvals.ts'
import { audit } from './audit.ts'
import { dashboard } from './dashboard.ts'
import { devices } from './devices.ts'
import { diagnosis } from './diagnosis.ts'
import { jobs } from './jobs.ts'
import { keys } from './keys.ts'
import { mismatch } from './mismatch.ts'
import { notifications } from './notifications.ts'
import { order } from './order.ts'
import { orders } from './orders.ts'
import { palette } from './palette.ts'
import { plans } from './plans.ts'
import { programBounds } from './program-bounds.ts'
import { reconciliation } from './reconciliation.ts'
import { refunds } from './refunds.ts'
import { reports } from './reports.ts'
import { session } from './session.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { shipping } from './shipping.ts'
import { staff } from './staff.ts'
import { subscriptions } from './subscriptions.ts'
import { ui } from './ui.ts'
import { users } from './users.ts'
import { views } from './views.ts'

export const zhCN = {
  ui,
  shell,
  session,
  dashboard,
  orders,
  order,
  subscriptions,
  refunds,
  notifications,
  mismatch,
  alertChannels,
  alerts,
  approvals,
  reconciliation,
  shipping,
  users,
  views,
  devices,
  plans,
  programBounds,
  settings,
  reports,
  diagnosis,
  jobs,
  keys,
  account,
  audit,
  staff,
  palette,
} as const
