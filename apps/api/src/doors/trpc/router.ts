import { alertChannelRouter, alertRouter } from './alert-router.ts'
import { apiKeyRouter } from './api-key-router.ts'
import { checklistRouter } from './checklist-router.ts'
import { customerRouter } from './customer-router.ts'
import { deviceRouter } from './device-router.ts'
import { diagnosisRouter } from './diagnosis-router.ts'
import { exportRouter } from './export-router.ts'
import { exportScheduleRouter } from './export-schedule-router.ts'
import { financeRouter } from './finance-router.ts'
import { importRouter } from './import-router.ts'
import { inboxRouter } from './inbox-router.ts'
import { noteRouter } from './note-router.ts'
import { notificationRouter } from './notification-router.ts'
import { operatorRouter } from './operator-router.ts'
import { orderRouter, shippingRouter } from './order-router.ts'
import { approvalRouter, dashboardRouter, searchRouter, viewRouter } from './overview-routers.ts'
import { planRouter } from './plan-router.ts'
import { router } from './procedures.ts'
import { reconciliationRouter } from './reconciliation-router.ts'
import { refundRouter } from './refund-router.ts'
import { revenueRouter } from './revenue-router.ts'
import { sampleDataRouter } from './sample-data-router.ts'
import { staffRouter } from './staff-router.ts'
import { messageRouter, subscriptionRouter } from './subscription-router.ts'
import { auditRouter, jobRouter, keyRouter, settingRouter } from './system-routers.ts'
import { tagRouter } from './tag-router.ts'
import { reportRouter, userRouter } from './user-router.ts'
import { webhookRouter } from './webhook-router.ts'

export const appRouter = router({
  customer: customerRouter,
  device: deviceRouter,
  alert: alertRouter,
  alertChannel: alertChannelRouter,
  apiKey: apiKeyRouter,
  approval: approvalRouter,
  refund: refundRouter,
  checklist: checklistRouter,
  dashboard: dashboardRouter,
  audit: auditRouter,
  diagnosis: diagnosisRouter,
  inbox: inboxRouter,
  finance: financeRouter,
  revenue: revenueRouter,
  export: exportRouter,
  import: importRouter,
  exportSchedule: exportScheduleRouter,
  job: jobRouter,
  key: keyRouter,
  message: messageRouter,
  note: noteRouter,
  notification: notificationRouter,
  operator: operatorRouter,
  order: orderRouter,
  plan: planRouter,
  reconciliation: reconciliationRouter,
  shipping: shippingRouter,
  subscription: subscriptionRouter,
  report: reportRouter,
  sampleData: sampleDataRouter,
  search: searchRouter,
  setting: settingRouter,
  tag: tagRouter,
  user: userRouter,
  view: viewRouter,
  staff: staffRouter,
  webhooks: webhookRouter,
})

/** The one type that crosses from the API to the console. */
export type AppRouter = typeof appRouter
