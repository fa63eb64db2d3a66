import { z } from 'zod'
import {
  type attemptAnswers,
  attemptStates,
  orderMarks,
  orderSorts,
  orderSteps,
  orderTabs,
  platformAnswers,
  platformFailures,
} from '../choices.ts'
import { ORDERS_AT_ONCE } from '../count-limits.ts'
import { Fen } from '../money.ts'
import { CloseReason, ConfirmedBy, OrderStatus, PaymentChannel } from '../order-status.ts'
import { countsOf, pageFields, period, RowTotals, searchText } from '../paging.ts'
import { OutTradeNo } from '../rest/subscription.ts'
import { NotificationRow } from './notification.ts'
import { RefundRow } from './refund.ts'
import { TagChip, tagFilter } from './tag.ts'

/** The steps of a purchase after the order is made: the platform knows of it, money came. */
export const OrderStep = z.enum(orderSteps)
export type OrderStep = z.infer<typeof OrderStep>

/** What marks an order beside its status: money on its way back, a part that went back, a decision that waits or was left out. */
export const OrderMark = z.enum(orderMarks)
export type OrderMark = z.infer<typeof OrderMark>

/** The filters of the order list; all of them live in the URL of the page. */
export const OrderFilter = z.object({
  status: OrderStatus.optional(),
  mark: OrderMark.optional(),
  planCode: z.string().max(64).optional(),
  /** Inclusive and exclusive bounds of the time the order was made. */
  ...period,
  /** Inclusive and exclusive bounds of the time it was paid. */
  paidFrom: z.date().optional(),
  paidTo: z.date().optional(),
  confirmedBy: ConfirmedBy.optional(),
  channel: PaymentChannel.optional(),
  /** How far it came, whatever became of it. */
  reached: OrderStep.optional(),
  ...tagFilter,
  minAmountFen: Fen.optional(),
  maxAmountFen: Fen.optional(),
  /** A number of the order or the platform, of an attempt, or a user id, whole. */
  search: searchText,
})
export type OrderFilter = z.infer<typeof OrderFilter>

export const OrderListQuery = OrderFilter.extend({
  sort: z.enum(orderSorts).default('newest'),
  ...pageFields,
})
export type OrderListQuery = z.infer<typeof OrderListQuery>

export const OrderRow = z.object({
  outTradeNo: OutTradeNo,
  status: OrderStatus,
  channel: PaymentChannel,
  planCode: z.string(),
  planName: z.string(),
  amountFen: Fen,
  refundedFen: Fen,
  /** What the platform kept of it, less what it gave back with refunds; null until a bill or a settlement says. */
  feeFen: z.int().nullable(),
  userId: z.uuid(),
  /** Their nickname, masked unless the session reveals names. */
  customer: z.string().nullable(),
  transactionId: z.string().nullable(),
  confirmedBy: ConfirmedBy.nullable(),
  late: z.boolean(),
  parked: z.boolean(),
  createdAt: z.date(),
  paidAt: z.date().nullable(),
  tags: z.array(TagChip),
})
export type OrderRow = z.infer<typeof OrderRow>

/** Count and sums of the filtered set: exact up to 10,000 rows. */
export const OrderTotals = RowTotals.extend({
  /** How many of them were paid, and what that came to. */
  paidOrders: z.int(),
  grossFen: Fen,
  refundedFen: Fen,
  /** Gross less what was refunded of these orders to date, whenever that was. */
  netFen: Fen,
  /** What the platform kept of them, less what it gave back with refunds, as its bills and settlements say. */
  feeFen: z.int(),
  /** Of how many payments that is known. */
  feeOrders: z.int(),
})
export type OrderTotals = z.infer<typeof OrderTotals>

/** The tabs of the order list. */
export const OrderTab = z.enum(orderTabs)
export type OrderTab = z.infer<typeof OrderTab>

/** The filters beside which every tab can be counted out of an index. */
export const OrderTabFilter = OrderFilter.pick({ from: true, to: true })
export type OrderTabFilter = z.infer<typeof OrderTabFilter>

export const OrderTabCounts = countsOf(OrderTab)
export type OrderTabCounts = z.infer<typeof OrderTabCounts>

/**
 * What came of a call to the platform that moved nothing: the detail of the events `ask`, `prepay_failed` and
 * `close_failed`.
 */
export const PlatformReply = z.object({
  answer: z.enum(platformAnswers),
  /** The platform's own word for a state that means neither paid nor unpaid. */
  platform_state: z.string().optional(),
  /** What a failed call was for our client. */
  code: z.enum(platformFailures).optional(),
  /** The platform's code of a refusal. */
  platform_code: z.string().nullish(),
  platform_request_id: z.string().nullish(),
})
export type PlatformReply = z.infer<typeof PlatformReply>

export const OrderEvent = z.object({
  id: z.string(),
  at: z.date(),
  kind: z.string(),
  fromStatus: OrderStatus.nullable(),
  toStatus: OrderStatus.nullable(),
  channel: z.string(),
  requestId: z.string().nullable(),
  operatorEmail: z.string().nullable(),
  /** Who had asked for what the operator then confirmed. */
  requesterEmail: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
})
export type OrderEvent = z.infer<typeof OrderEvent>

export const OrderNotification = NotificationRow.omit({ outTradeNo: true })
export type OrderNotification = z.infer<typeof OrderNotification>

export const OrderGrant = z.object({
  seq: z.int(),
  kind: z.string(),
  days: z.int(),
  effectiveAt: z.date(),
  expiresBefore: z.date().nullable(),
  expiresAfter: z.date(),
  /** When the entry was written: `effectiveAt` is cut to the millisecond, every other instant of the order is rounded. */
  createdAt: z.date(),
})

/** A refund of the order, as its page shows it. */
export const OrderRefund = RefundRow.pick({
  outRefundNo: true,
  amountFen: true,
  status: true,
  state: true,
}).extend({
  /** It returns a payment beside the order's own. */
  ofSecondPayment: z.boolean(),
  createdAt: z.date(),
  succeededAt: z.date().nullable(),
})
export type OrderRefund = z.infer<typeof OrderRefund>

/** What an operator did with the order or a refund of it, from the audit log. */
export const OrderAct = z.object({
  id: z.string(),
  at: z.date(),
  action: z.string(),
  outRefundNo: z.string().nullable(),
  operatorEmail: z.string(),
  requestId: z.string(),
})

/** What the platform says of an attempt: a state of the order there, or that it knows no such number. */
export type AttemptAnswer = (typeof attemptAnswers)[number]

/** One signed call of virtual payment: its number is used once (SPEC §15). */
export const OrderAttempt = z.object({
  number: z.string(),
  signedAt: z.date(),
  /** `second`: paid, and another attempt had paid the order already. */
  state: z.enum(attemptStates),
  /** The platform's numbers, once it told them. */
  wxOrderId: z.string().nullable(),
  channelOrderId: z.string().nullable(),
  byApple: z.boolean().nullable(),
  deliveredAt: z.date().nullable(),
  settlement: z.enum(['open', 'running', 'done']).nullable(),
  settledAt: z.date().nullable(),
  /** What the platform kept, once it has settled. */
  feeFen: Fen.nullable(),
})
export type OrderAttempt = z.infer<typeof OrderAttempt>

export const OrderDetail = OrderRow.omit({ customer: true, tags: true }).extend({
  durationDays: z.int(),
  features: z.array(z.string()),
  currency: z.string(),
  /** Masked: first four and last four characters. */
  payerOpenid: z.string(),
  appId: z.string(),
  mchId: z.string(),
  platformHost: z.string(),
  /** The item of virtual payment that the order is for. */
  virtualProductId: z.string().nullable(),
  paidAttemptNo: z.string().nullable(),
  attempts: z.array(OrderAttempt),
  prepayId: z.string().nullable(),
  prepayExpiresAt: z.date().nullable(),
  expiresAt: z.date(),
  tradeType: z.string().nullable(),
  bankType: z.string().nullable(),
  closedAt: z.date().nullable(),
  closeReason: CloseReason.nullable(),
  payerDiffers: z.boolean(),
  parkReason: z.string().nullable(),
  subscription: z.object({ isActive: z.boolean(), remainingDays: z.int(), expiresAt: z.date().nullable() }),
  /** What the user has bound now. */
  devices: z.array(z.object({ serialNumber: z.string(), boundAt: z.date() })),
  events: z.array(OrderEvent),
  notifications: z.array(OrderNotification),
  grants: z.array(OrderGrant),
  refunds: z.array(OrderRefund),
  acts: z.array(OrderAct),
  /** What refunds have not taken or hold yet. */
  refundableFen: Fen,
})
export type OrderDetail = z.infer<typeof OrderDetail>

export const OrderReference = z.object({ outTradeNo: OutTradeNo })

/** Orders whose pages are read ahead of their being opened. */
export const OrderReferences = z.object({ outTradeNos: z.array(OutTradeNo).min(1).max(ORDERS_AT_ONCE) })

/** What asking the platform about an order changed. */
export const SyncOutcome = z.enum(['already_paid', 'paid', 'closed', 'unchanged', 'mismatch'])
export type SyncOutcome = z.infer<typeof SyncOutcome>
