import { z } from 'zod'
import { Fen } from '../money.ts'
import { OrderStatus } from '../order-status.ts'
import { OutTradeNo } from '../rest/order.ts'
import { AlertRow, AlertSeverity } from './alert.ts'
import { NotificationOutcome } from './notification.ts'
import { OutRefundNo, RefundRow } from './refund.ts'

/** An order that an alert is about, as far as somebody needs it to decide. */
export const AlertOrder = z.object({
  outTradeNo: z.string(),
  status: OrderStatus,
  planName: z.string(),
  durationDays: z.int(),
  amountFen: Fen,
  refundedFen: Fen,
  /** What may still be refunded; 0 where nothing may be asked for now. */
  refundableFen: Fen,
  transactionId: z.string().nullable(),
  late: z.boolean(),
  parked: z.boolean(),
  parkReason: z.string().nullable(),
  granted: z.boolean(),
  paidAt: z.date().nullable(),
  createdAt: z.date(),
})
export type AlertOrder = z.infer<typeof AlertOrder>

export const AlertRefund = RefundRow.pick({
  outRefundNo: true,
  outTradeNo: true,
  amountFen: true,
  state: true,
  createdAt: true,
})
export type AlertRefund = z.infer<typeof AlertRefund>

export const AlertNotification = z.object({
  id: z.string(),
  outcome: NotificationOutcome,
  /** The payment that it tells of, where it could be read. */
  transactionId: z.string().nullable(),
  lastAt: z.date(),
})
export type AlertNotification = z.infer<typeof AlertNotification>

/** An open alert, where it is named beside what it is about. */
export const OpenAlert = AlertRow.pick({ id: true, kind: true, openedAt: true })
export type OpenAlert = z.infer<typeof OpenAlert>

/** One alert with the facts behind it: what it names as it stands now, each list bounded. */
export const AlertDetail = AlertRow.extend({
  severity: AlertSeverity,
  /** Orders by payment: the earlier first. */
  orders: z.array(AlertOrder),
  refund: AlertRefund.nullable(),
  notifications: z.array(AlertNotification),
  /** Other open alerts about the same orders. */
  others: z.array(OpenAlert),
})
export type AlertDetail = z.infer<typeof AlertDetail>

/** What open alerts are looked for: an order, a refund, or a user's orders. */
export const AlertsAbout = z.union([
  z.strictObject({ outTradeNo: OutTradeNo }),
  z.strictObject({ outRefundNo: OutRefundNo }),
  z.strictObject({ userId: z.uuid() }),
])
export type AlertsAbout = z.infer<typeof AlertsAbout>
