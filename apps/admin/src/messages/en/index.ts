import type { zhCN } from '../zh-CN/index.ts'
import { alerts } from './alerts.ts'
import { apiKeys } from './api-keys.ts'
import { approvals } from './approvals.ts'
import { audit } from './audit.ts'
import { checklist } from './checklist.ts'
import { dashboard } from './dashboard.ts'
import { devices } from './devices.ts'
import { diagnosis, programBounds, reports } from './diagnosis.ts'
import { exports } from './exports.ts'
import { feed } from './feed.ts'
import { finance } from './finance.ts'
import { imports } from './imports.ts'
import { inbox } from './inbox.ts'
import { notes } from './notes.ts'
import { mismatch, notifications } from './notifications.ts'
import { alertChannels, jobs, keys } from './operations.ts'
import { order } from './order.ts'
import { orders, shipping } from './orders.ts'
import { plans } from './plans.ts'
import { reconciliation } from './reconciliation.ts'
import { refunds } from './refunds.ts'
import { related } from './related.ts'
import { revenue } from './revenue.ts'
import { account, session } from './session.ts'
import { settings } from './settings.ts'
import { palette, shell } from './shell.ts'
import { staff } from './staff.ts'
import { subscriptions } from './subscriptions.ts'
import { tagList, tags } from './tags.ts'
import { ui, views } from './ui.ts'
import { users } from './users.ts'
import { compliance, inquiries } from './virtual-payment.ts'
import { webhooks } from './webhooks.ts'

/** The same keys as the Chinese original, in other words. */
type Translation<Original> = {
  readonly [Key in keyof Original]: Original[Key] extends string ? string : Translation<Original[Key]>
}

export const en: Translation<typeof zhCN> = {
  ui,
  shell,
  session,
  checklist,
  dashboard,
  orders,
  order,
  subscriptions,
  refunds,
  finance,
  revenue,
  inquiries,
  feed,
  notes,
  notifications,
  mismatch,
  alertChannels,
  alerts,
  apiKeys,
  imports,
  approvals,
  inbox,
  reconciliation,
  related,
  shipping,
  users,
  views,
  devices,
  plans,
  compliance,
  programBounds,
  settings,
  reports,
  diagnosis,
  exports,
  jobs,
  keys,
  account,
  audit,
  staff,
  tags,
  tagList,
  palette,
  webhooks,
}
