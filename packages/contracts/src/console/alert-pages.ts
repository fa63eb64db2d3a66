import { z } from 'zod'
import { Fen } from '../money.ts'
import { OrderStatus } from '../order-status.ts'
import { pageFields } from '../paging.ts'
import { OutTradeNo } from '../rest/subscription.ts'
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
  tradeType: z.string().nullable(),
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

/** How a channel stands: it fails since its last success; it took the last message; nothing was sent yet. */
export const AlertChannelState = z.enum(['failing', 'well', 'unproven'])

export const AlertChannelKind = z.enum(['wecom', 'dingtalk', 'feishu', 'webhook', 'heartbeat'])

/** A channel that alerts are told to, or the address of the dead man's switch. Its address beyond the host is a secret. */
export const AlertChannelRow = z.object({
  id: z.string(),
  kind: AlertChannelKind,
  host: z.string(),
  state: AlertChannelState,
  lastSuccessAt: z.date().nullable(),
  lastFailureAt: z.date().nullable(),
  lastError: z.string().nullable(),
  /** When it is tried again; null unless it fails. */
  nextAttemptAt: z.date().nullable(),
  /** Alerts whose opening or end it has not been told: exact up to 500. */
  waiting: z.int(),
  /** A test that somebody asked for has not been sent yet. */
  testWaits: z.boolean(),
})
export type AlertChannelRow = z.infer<typeof AlertChannelRow>

/** The channels, and the process that sends to them; null while none does. */
export const AlertChannelOverview = z.object({
  channels: z.array(AlertChannelRow),
  sender: z.object({ role: z.string(), since: z.date() }).nullable(),
  readAt: z.date(),
})
export type AlertChannelOverview = z.infer<typeof AlertChannelOverview>

export const AlertChannelReference = z.object({ id: z.string().regex(/^[0-9a-f]{16}$/) })

export const AlertMessageListQuery = z.object(pageFields)
export type AlertMessageListQuery = z.infer<typeof AlertMessageListQuery>

/** A message that was sent, or a test with its end. `alertKind` and `subject` where it is about one alert. */
export const AlertMessageRow = z.object({
  id: z.string(),
  channelKind: AlertChannelKind,
  host: z.string(),
  kind: z.enum(['opened', 'over', 'bundle', 'test']),
  state: z.enum(['waiting', 'sent', 'failed']),
  alertKind: z.string().nullable(),
  subject: z.string().nullable(),
  /** How many alerts it tells. */
  alerts: z.int(),
  error: z.string().nullable(),
  createdAt: z.date(),
})
export type AlertMessageRow = z.infer<typeof AlertMessageRow>
