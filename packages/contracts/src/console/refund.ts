import { z } from 'zod'
import { refundTabs } from '../choices.ts'
import { Fen } from '../money.ts'
import { ConfirmedBy, OrderStatus, PaymentChannel } from '../order-status.ts'
import { countsOf, period, RowTotals, searchText, timedPageFields } from '../paging.ts'
import { AskedRefundReason, RefundEnd, RefundReason, RefundState, RefundStatus } from '../refund-status.ts'
import { OutTradeNo } from '../rest/subscription.ts'
import { ApprovalObstacle, ApprovalVerdict, WaitingApproval } from './approval.ts'
import { Note } from './parking.ts'

export const OutRefundNo = z.string().regex(/^R[0-9A-Z]{26}$/)

/** The filters of the list of refunds; all of them live in the URL of the page. */
export const RefundFilter = z.object({
  status: RefundState.optional(),
  channel: PaymentChannel.optional(),
  /** Inclusive and exclusive bounds of the request. */
  ...period,
  /** The same of its success; of an order's own payment alone, as money that went back is counted by day. */
  succeededFrom: period.from,
  succeededTo: period.to,
  /** An `out_refund_no`, the number of an order or of one of its attempts, or the platform's refund id, whole. */
  search: searchText,
})
export type RefundFilter = z.infer<typeof RefundFilter>

/** Count and sums of the filtered set: what was asked for, and what of it went back. Exact up to 10,000 rows. */
export const RefundTotals = RowTotals.extend({ refundedFen: Fen })
export type RefundTotals = z.infer<typeof RefundTotals>

export const RefundListQuery = RefundFilter.extend(timedPageFields)
export type RefundListQuery = z.infer<typeof RefundListQuery>

/** Beside these filters alone the tabs are counted: a channel is looked up order by order. */
export const RefundTabFilter = RefundFilter.omit({ status: true, channel: true })
export type RefundTabFilter = z.infer<typeof RefundTabFilter>

export const RefundRow = z.object({
  outRefundNo: OutRefundNo,
  outTradeNo: OutTradeNo,
  userId: z.uuid(),
  /** Their nickname, masked unless the session reveals names. */
  customer: z.string().nullable(),
  /** Of the order. */
  channel: PaymentChannel,
  /** Apple took the payment that it returns. */
  byApple: z.boolean(),
  amountFen: Fen,
  status: RefundStatus,
  state: RefundState,
  reason: RefundReason,
  keepDays: z.boolean(),
  /** Null for a refund that a rule asked for. */
  requestedByEmail: z.string().nullable(),
  approvedByEmail: z.string().nullable(),
  /** The platform's code for why it did not accept the last sending; of a refund that was given up, for good. */
  failure: z.string().nullable(),
  /** The payment beside the order's own that it returns; null for the order's own. */
  secondTransactionId: z.string().nullable(),
  /** The platform said another end than ours, and nobody has decided which one holds. */
  contradicted: z.boolean(),
  createdAt: z.date(),
  succeededAt: z.date().nullable(),
})
export type RefundRow = z.infer<typeof RefundRow>

/** The tabs of the list of refunds. */
export const RefundTab = z.enum(refundTabs)
export type RefundTab = z.infer<typeof RefundTab>

export const RefundTabCounts = countsOf(RefundTab)
export type RefundTabCounts = z.infer<typeof RefundTabCounts>

export const RefundReference = z.object({ outRefundNo: OutRefundNo })

/** The platform said an end that is not the one we had: nothing more happens until somebody decides. */
export const RefundContradiction = z.object({
  saidStatus: RefundEnd,
  saidAt: z.date(),
  /** Whether the sum counts against the order meanwhile; false where it was refunded again already. */
  held: z.boolean(),
  decidedAt: z.date().nullable(),
})

/** A refund that was given up: who asked for it and why, and who confirmed it. */
export const RefundStop = z.object({
  reason: z.string(),
  requestedByEmail: z.string(),
  requestedAt: z.date(),
  confirmedByEmail: z.string(),
  stoppedAt: z.date(),
})
export type RefundStop = z.infer<typeof RefundStop>

export const RefundDetail = RefundRow.omit({ customer: true }).extend({
  note: z.string().nullable(),
  orderStatus: OrderStatus,
  orderAmountFen: Fen,
  orderRefundedFen: Fen,
  planName: z.string(),
  platformRefundId: z.string().nullable(),
  decidedAt: z.date().nullable(),
  submittedAt: z.date().nullable(),
  daysTaken: z.int(),
  /** What it would take if it succeeded now; null once it is over, or when days are kept. */
  daysDue: z.int().nullable(),
  /** Whether the caller asked for it, and so may take it back. */
  isOwn: z.boolean(),
  contradiction: RefundContradiction.nullable(),
  stop: RefundStop.nullable(),
  /** The request to give it up that waits for a second person. */
  waitingStop: WaitingApproval.nullable(),
  /** Why the caller may not approve it, or decide which of its two ends holds; null where nothing is to decide. */
  obstacle: ApprovalObstacle.nullable(),
})
export type RefundDetail = z.infer<typeof RefundDetail>

/** Why an order cannot be refunded like this. */
export const RefundObstacle = z.enum(['not_paid', 'by_apple', 'parked', 'too_old', 'too_many', 'too_much'])

export const RefundPreviewQuery = z.object({
  outTradeNo: OutTradeNo,
  amountFen: z.int().min(1).max(100_000_000),
  keepDays: z.boolean().default(false),
})
export type RefundPreviewQuery = z.infer<typeof RefundPreviewQuery>

/** What a refund would do, made of the rules of its settlement. */
export const RefundPreview = z.object({
  orderAmountFen: Fen,
  /** What refunds of this order have taken or hold already; the request names it, so that nothing came between. */
  reservedFen: Fen,
  refundableFen: Fen,
  /** The preset amounts of a refund: half of the order, and its unused days; never more than is refundable. */
  halfFen: Fen,
  unusedFen: Fen,
  /** The order's days are used, taken back by earlier refunds, or left. */
  daysUsed: z.int(),
  daysTakenBack: z.int(),
  daysLeft: z.int(),
  /** Of those that are left, what this refund would take. */
  daysTaken: z.int(),
  expiresBefore: z.date().nullable(),
  expiresAfter: z.date().nullable(),
  remainingBefore: z.int(),
  remainingAfter: z.int(),
  needsSecondPerson: z.boolean(),
  thresholdFen: Fen,
  obstacle: RefundObstacle.nullable(),
})
export type RefundPreview = z.infer<typeof RefundPreview>

export const RefundOrder = RefundPreviewQuery.extend({
  reason: AskedRefundReason,
  note: z.string().trim().max(500),
  reservedFen: Fen,
})
export type RefundOrder = z.infer<typeof RefundOrder>

export const RefundVerdict = RefundReference.extend({ approve: z.boolean() })
export type RefundVerdict = z.infer<typeof RefundVerdict>

/** A payment of an order that another transaction had paid already. */
export const SecondPayment = z.object({
  transactionId: z.string(),
  outTradeNo: OutTradeNo,
  amountFen: Fen,
  /** Whether the order's payer paid it. */
  payer: z.enum(['same', 'other', 'unknown']),
  source: ConfirmedBy,
  /** Apple took it: only its user can ask for it, of Apple. */
  byApple: z.boolean(),
  paidAt: z.date().nullable(),
  recordedAt: z.date(),
  /** What its refunds have not taken or hold yet. */
  refundableFen: Fen,
  /** What refunds of all second payments of the order took or hold; a request names it, so that nothing came between. */
  reservedFen: Fen,
  /** Up to which sum one person may return alone; below zero when nothing. */
  aloneFen: z.int(),
})
export type SecondPayment = z.infer<typeof SecondPayment>

export const SecondPaymentReturn = z.object({
  outTradeNo: OutTradeNo,
  transactionId: z.string().min(1).max(64),
  amountFen: z.int().min(1).max(100_000_000),
  reason: AskedRefundReason,
  note: z.string().trim().max(500),
  reservedFen: Fen,
})
export type SecondPaymentReturn = z.infer<typeof SecondPaymentReturn>

/** Why a refund that the platform refuses is to be given up. */
export const RefundStopRequest = RefundReference.extend({ reason: Note })
export type RefundStopRequest = z.infer<typeof RefundStopRequest>

/** A second person confirms that it is given up, or rejects that; whoever asked takes it back. */
export const RefundStopVerdict = RefundReference.extend(ApprovalVerdict.shape)
export type RefundStopVerdict = z.infer<typeof RefundStopVerdict>

/** Which of the two ends holds, and why. */
export const ContradictionDecision = RefundReference.extend({ accept: RefundEnd, note: Note })
export type ContradictionDecision = z.infer<typeof ContradictionDecision>

/** Where the money of an abnormal refund goes; the bank data is handed to the platform and kept nowhere. */
export const RefundRedirect = z.discriminatedUnion('to', [
  RefundReference.extend({ to: z.literal('merchant_bank_card') }),
  RefundReference.extend({
    to: z.literal('user_bank_card'),
    bankType: z.string().trim().min(2).max(16),
    bankAccount: z
      .string()
      .trim()
      .regex(/^\d{8,32}$/),
    realName: z.string().trim().min(1).max(64),
  }),
])
export type RefundRedirect = z.infer<typeof RefundRedirect>
