import { alertChannelRouter } from './alert-channel-router.ts'
import { alertRouter } from './alert-router.ts'
import { approvalRouter } from './approval-router.ts'
import { auditRouter } from './audit-router.ts'
import { dashboardRouter } from './dashboard-router.ts'
import { deviceRouter } from './device-router.ts'
import { diagnosisRouter } from './diagnosis-router.ts'
import { jobRouter } from './job-router.ts'
import { keyRouter } from './key-router.ts'
import { messageRouter } from './message-router.ts'
import { notificationRouter } from './notification-router.ts'
import { operatorRouter } from './operator-router.ts'
import { orderRouter } from './order-router.ts'
import { planRouter } from './plan-router.ts'
import { router } from './procedures.ts'
import { reconciliationRouter } from './reconciliation-router.ts'
import { refundRouter } from './refund-router.ts'
import { reportRouter } from './report-router.ts'
import { searchRouter } from './search-router.ts'
import { settingRouter } from './setting-router.ts'
import { shippingRouter } from './shipping-router.ts'
import { staffRouter } from './staff-router.ts'
import { subscriptionRouter } from './subscription-router.ts'
import { userRouter } from './user-router.ts'
import { viewRouter } from './view-router.ts'

export const appRouter = router({
  device: deviceRouter,
  alert: alertRouter,
  alertChannel: alertChannelRouter,
  approval: approvalRouter,
  refund: refundRouter,
  dashboard: dashboardRouter,
  audit: auditRouter,
  diagnosis: diagnosisRouter,
  job: jobRouter,
  key: keyRouter,
  message: messageRouter,
  notification: notificationRouter,
  operator: operatorRouter,
  order: orderRouter,
  plan: planRouter,
  reconciliation: reconciliationRouter,
  shipping: shippingRouter,
  subscription: subscriptionRouter,
  report: reportRouter,
  search: searchRouter,
  setting: settingRouter,
  user: userRouter,
  view: viewRouter,
  staff: staffRouter,
})

/** The one type that crosses from the API to the console. */
export type AppRouter = typeof appRouter
