import { z } from 'zod'
import { differenceKinds, differenceStates, shipmentStates } from '../choices.ts'
import { PaymentChannel } from '../order-status.ts'
import { pageFields, SerialId } from '../paging.ts'
import { OutTradeNo } from '../rest/subscription.ts'
import { Reason } from './user.ts'

export const DayState = z.enum(['open', 'matched', 'closed'])
export type DayState = z.infer<typeof DayState>

/** A day in China with its headline: orders = ledger = bill, or what is between them is explained by differences. */
export const ReconciledDay = z.object({
  date: z.iso.date(),
  state: DayState,
  orderFen: z.number(),
  ledgerFen: z.number(),
  billFen: z.number(),
  explained: z.boolean(),
  openDifferences: z.int(),
  differences: z.int(),
  adjustments: z.int(),
  matchedAt: z.date().nullable(),
  closedAt: z.date().nullable(),
  closedBy: z.string().nullable(),
})
export type ReconciledDay = z.infer<typeof ReconciledDay>

export const DayListQuery = z.object(pageFields)

export const DayReference = z.object({ date: z.iso.date() })

/**
 * A bill as the platform gave it; a later issue of the same day stands beside the first. The bills of virtual payment are
 * kept unread: nobody has written down what they look like. Apple's is of the month that begins with the day.
 */
export const KeptBill = z.object({
  kind: z.enum(['trade', 'fund_flow', 'virtual', 'apple']),
  sha1: z.string(),
  rows: z.int().nullable(),
  fetchedAt: z.date(),
})

/** A channel's part of the three sums of a day. */
export const ChannelSums = ReconciledDay.pick({ orderFen: true, ledgerFen: true, billFen: true }).extend({
  channel: PaymentChannel,
})
export type ChannelSums = z.infer<typeof ChannelSums>

/**
 * `channels`: where both contributed, and their parts are still what was compared. `nextRunAt`: a run waits for its turn.
 */
export const DayDetail = ReconciledDay.extend({
  channels: z.array(ChannelSums),
  bills: z.array(KeptBill),
  nextRunAt: z.date().nullable(),
})
export type DayDetail = z.infer<typeof DayDetail>

export const DifferenceKind = z.enum(differenceKinds)
export type DifferenceKind = z.infer<typeof DifferenceKind>
export const DifferenceState = z.enum(differenceStates)
export type DifferenceState = z.infer<typeof DifferenceState>

const Side = z.record(z.string(), z.unknown()).nullable()

/** What an operator is advised to do about a difference. */
const SuggestedAction = z.enum([
  'none',
  'ask_platform',
  'find_order',
  'refund_second_payment',
  'check_amount',
  'check_terms',
  'decide_parked',
  'record_external_refund',
  'follow_refund',
])

/** A work item; its age counts from `foundAt`. */
export const Difference = z.object({
  id: z.string(),
  date: z.iso.date(),
  kind: DifferenceKind,
  state: DifferenceState,
  /** Of its order. What no order of ours stands for came out of a bill, which WeChat Pay alone has. */
  channel: PaymentChannel,
  outTradeNo: z.string().nullable(),
  transactionId: z.string().nullable(),
  outRefundNo: z.string().nullable(),
  /** Who made the order, and their nickname. */
  userId: z.string().nullable(),
  customer: z.string().nullable(),
  ours: Side,
  theirs: Side,
  suggestedAction: SuggestedAction,
  billGapFen: z.number(),
  ledgerGapFen: z.number(),
  adjustment: z.boolean(),
  ownerEmail: z.string().nullable(),
  /** What a person wrote, or a word of ours: paid_from_bill, in_another_bill, imported_order, … */
  resolution: z.string().nullable(),
  resolvedByEmail: z.string().nullable(),
  resolvedAt: z.date().nullable(),
  foundAt: z.date(),
})
export type Difference = z.infer<typeof Difference>

export const DifferenceListQuery = z.object({
  date: z.iso.date().optional(),
  state: DifferenceState.optional(),
  kind: DifferenceKind.optional(),
  channel: PaymentChannel.optional(),
  ...pageFields,
})
export type DifferenceListQuery = z.infer<typeof DifferenceListQuery>

export const DifferenceReference = z.object({ id: SerialId })
export type DifferenceReference = z.infer<typeof DifferenceReference>
export const DifferenceResolution = DifferenceReference.extend({ resolution: Reason })

/** Why a day cannot be closed, or that it now is. */
export const ClosingVerdict = z.enum([
  'closed',
  'already_closed',
  'not_matched',
  'open_differences',
  'unexplained',
])
export type ClosingVerdict = z.infer<typeof ClosingVerdict>

/** Money that the platform holds back because it has not been told of the delivery. */
export const FrozenFen = z.object({
  on: z.boolean(),
  frozenFen: z.number(),
  orders: z.int(),
  failed: z.int(),
  oldest: z.object({ outTradeNo: OutTradeNo, paidAt: z.date() }).nullable(),
})
export type FrozenFen = z.infer<typeof FrozenFen>

export const WaitingShipment = z.object({
  outTradeNo: OutTradeNo,
  userId: z.uuid(),
  customer: z.string().nullable(),
  amountFen: z.int(),
  refundedFen: z.int(),
  paidAt: z.date(),
  state: z.enum(shipmentStates),
  attempts: z.int(),
  lastCode: z.string().nullable(),
})
export type WaitingShipment = z.infer<typeof WaitingShipment>

export const ShipmentListQuery = z.object({
  state: z.enum(shipmentStates).optional(),
  ...pageFields,
})
export type ShipmentListQuery = z.infer<typeof ShipmentListQuery>
