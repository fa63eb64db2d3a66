import { z } from 'zod'
import { refundStates, refundStatuses } from './choices.ts'

export const RefundStatus = z.enum(refundStatuses)
export type RefundStatus = z.infer<typeof RefundStatus>

type Move = { from: readonly RefundStatus[]; to: RefundStatus }

/**
 * Every way a refund may change its status. The platform's word may arrive before our own call has returned, hence
 * the moves out of `approved`. `stop` is given up by two persons after the platform refused it. `acceptSuccess` is open only while the platform's success contradicts where the refund
 * ended here, and only to finance.
 */
export const refundMoves = {
  approve: { from: ['requested'], to: 'approved' },
  reject: { from: ['requested'], to: 'rejected' },
  process: { from: ['approved', 'abnormal'], to: 'processing' },
  succeed: { from: ['approved', 'processing', 'abnormal'], to: 'succeeded' },
  close: { from: ['approved', 'processing', 'abnormal'], to: 'closed' },
  turnAbnormal: { from: ['approved', 'processing'], to: 'abnormal' },
  stop: { from: ['approved', 'processing'], to: 'closed' },
  acceptSuccess: { from: ['requested', 'closed', 'rejected'], to: 'succeeded' },
} as const satisfies Record<string, Move>

export type RefundMove = keyof typeof refundMoves

/** Whether `move` is open from `status`. */
export const canMoveRefund = (status: RefundStatus, move: RefundMove): boolean =>
  refundMoves[move].from.some((from) => from === status)

/** The ends that the platform gives a refund; it never gives both of them to one. */
export const RefundEnd = RefundStatus.extract(['succeeded', 'closed'])
export type RefundEnd = z.infer<typeof RefundEnd>

/**
 * How a refund stands, for people: its status, told apart where the platform refused the last sending (`refused`) and
 * where two persons gave it up (`stopped`, closed by us and not by the platform).
 */
export const RefundState = z.enum(refundStates)
export type RefundState = z.infer<typeof RefundState>

type RefundFacts = { status: RefundStatus; failure: string | null; stoppedAt: Date | null }

const isSendable = (status: RefundStatus): boolean => canMoveRefund(status, 'stop')

/** The one rule of the two further states. */
export function refundStateOf({ status, failure, stoppedAt }: RefundFacts): RefundState {
  if (failure !== null && isSendable(status)) return 'refused'
  return stoppedAt !== null && status === 'closed' ? 'stopped' : status
}

/** `external`: somebody else gave the money back, Apple or whoever uses the platform's own console. */
export const RefundReason = z.enum([
  'user_request',
  'defect',
  'duplicate',
  'late_payment',
  'fraud',
  'other',
  'external',
])
export type RefundReason = z.infer<typeof RefundReason>

/** What somebody may give as the reason of a refund that they ask for. */
export const AskedRefundReason = RefundReason.exclude(['external'])
