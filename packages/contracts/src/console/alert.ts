import { z } from 'zod'
import { deskViews } from '../choices.ts'
import { OrderStatus } from '../order-status.ts'
import { countsOf, pageFields, SerialId } from '../paging.ts'
import { Note } from './parking.ts'

/** How urgent: `critical` where payments or bodies are at stake, or nobody would notice otherwise. */
export const AlertSeverity = z.enum(['critical', 'warning'])
export type AlertSeverity = z.infer<typeof AlertSeverity>

/** Every kind of alert and its severity. */
export const alertSeverities = {
  payment_mismatch: 'critical',
  second_transaction: 'critical',
  order_unknown: 'critical',
  possible_double_payment: 'warning',
  external_refund: 'warning',
  virtual_price_differs: 'critical',
  virtual_payment_refused: 'critical',
  delivery_unconfirmed: 'warning',
  complaint_received: 'warning',
  account_risk: 'critical',
  coins_paid: 'warning',
  refund_mismatch: 'critical',
  refund_abnormal: 'critical',
  refund_closed: 'warning',
  refund_stuck: 'warning',
  refund_contradicted: 'critical',
  notification_unreadable: 'critical',
  invariant_violated: 'critical',
  bill_unavailable: 'warning',
  bill_differences: 'warning',
  shipping_refused: 'warning',
  shipping_misconfigured: 'warning',
  reminder_misconfigured: 'warning',
  order_parked: 'warning',
  clock_skewed: 'critical',
  notifications_refused: 'critical',
  prepay_failing: 'critical',
  payments_failing: 'critical',
  platform_unreachable: 'critical',
  payments_missing: 'critical',
  job_dead: 'critical',
  workers_silent: 'critical',
  key_expiring: 'warning',
  backup_old: 'warning',
  reconciliation_missing: 'warning',
  outbox_stuck: 'warning',
  limits_not_shared: 'warning',
  database_timeline_changed: 'critical',
  endpoint_disabled: 'warning',
  export_failing: 'warning',
  threshold_changed: 'warning',
  factor_changed: 'warning',
  price_changed_far: 'warning',
  program_published: 'warning',
} as const satisfies Record<string, AlertSeverity>
export type AlertKind = keyof typeof alertSeverities

const isAlertKind = (kind: string): kind is AlertKind => Object.hasOwn(alertSeverities, kind)

/** How urgent an alert is: as its kind, unless it says of itself (`detail.severity`) that it is a warning. */
export const severityOfAlert = (kind: string, own: string | null): AlertSeverity =>
  own === 'warning' || !isAlertKind(kind) ? 'warning' : alertSeverities[kind]

export const AlertState = z.enum(['open', 'resolved'])

export const AlertFilter = z.object({
  state: AlertState.default('open'),
  kind: z.string().max(64).optional(),
})
export type AlertFilter = z.infer<typeof AlertFilter>

export const AlertListQuery = AlertFilter.extend(pageFields)
export type AlertListQuery = z.infer<typeof AlertListQuery>

/** What somebody must look at. */
export const AlertRow = z.object({
  id: z.string(),
  kind: z.string(),
  subject: z.string(),
  /** The earliest order it is about, also by its refund. */
  outTradeNo: z.string().nullable(),
  outRefundNo: z.string().nullable(),
  /** Who made that order, and their nickname. */
  userId: z.string().nullable(),
  customer: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  times: z.int(),
  openedAt: z.date(),
  lastAt: z.date(),
  ownerEmail: z.string().nullable(),
  resolvedByEmail: z.string().nullable(),
  resolution: z.string().nullable(),
  resolvedAt: z.date().nullable(),
})
export type AlertRow = z.infer<typeof AlertRow>

export const ListedAlert = AlertRow.extend({
  /** Open alerts about one order stand one beneath the other; this one is not the first of them. */
  isSameOrder: z.boolean(),
})
export type ListedAlert = z.infer<typeof ListedAlert>

/** The views of the desk: alerts that are open or ended, orders that wait for a decision or were left as they are. */
export const DeskView = z.enum(deskViews)
export type DeskView = z.infer<typeof DeskView>

export const DeskViewCounts = countsOf(DeskView)
export type DeskViewCounts = z.infer<typeof DeskViewCounts>

export const AlertReference = z.object({ id: SerialId })
export const ResolveAlert = AlertReference.extend({ resolution: Note })
export type ResolveAlert = z.infer<typeof ResolveAlert>

export const ParkedFilter = z.object({
  /** Those somebody decided to leave as they are, instead of those that wait. */
  left: z.boolean().default(false),
})

export const ParkedListQuery = ParkedFilter.extend(pageFields)
export type ParkedListQuery = z.infer<typeof ParkedListQuery>

export const ParkedRow = z.object({
  outTradeNo: z.string(),
  status: OrderStatus,
  planName: z.string(),
  durationDays: z.int(),
  amountFen: z.int(),
  userId: z.string(),
  customer: z.string().nullable(),
  parkReason: z.string(),
  late: z.boolean(),
  /** Whether its days were given. */
  granted: z.boolean(),
  tradeType: z.string().nullable(),
  createdAt: z.date(),
  paidAt: z.date().nullable(),
})
export type ParkedRow = z.infer<typeof ParkedRow>
