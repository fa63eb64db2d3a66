import { z } from 'zod'

export const RefundStatus = z.enum([
  'requested',
  'approved',
  'processing',
  'succeeded',
  'closed',
  'abnormal',
  'rejected',
])
export type RefundStatus = z.infer<typeof RefundStatus>

type Move = { from: readonly RefundStatus[]; to: RefundStatus }

/**
 * Every way a refund may change its status. The platform's word may arrive before our own call has returned, hence
 * the moves out of `approved`. `acceptSuccess` is open only while the platform's success contradicts where the refund
 * ended here, and only to finance.
 */
export const refundMoves = {
  approve: { from: ['requested'], to: 'approved' },
  reject: { from: ['requested'], to: 'rejected' },
  process: { from: ['approved', 'abnormal'], to: 'processing' },
  succeed: { from: ['approved', 'processing', 'abnormal'], to: 'succeeded' },
  close: { from: ['approved', 'processing', 'abnormal'], to: 'closed' },
  turnAbnormal: { from: ['approved', 'processing'], to: 'abnormal' },
  acceptSuccess: { from: ['requested', 'closed', 'rejected'], to: 'succeeded' },
} as const satisfies Record<string, Move>

export type RefundMove = keyof typeof refundMoves

/** Whether `move` is open from `status`. */
export const canMoveRefund = (status: RefundStatus, move: RefundMove): boolean =>
  refundMoves[move].from.some((from) => from === status)

/** The ends that the platform gives a refund; it never gives both of them to one. */
export const RefundEnd = RefundStatus.extract(['succeeded', 'closed'])
export type RefundEnd = z.infer<typeof RefundEnd>

/** Whether the platform is at it, or about to be asked: what follows comes by itself. */
export const isRefundUnderWay = ({ status }: { status: RefundStatus }): boolean =>
  status === 'approved' || status === 'processing'

export const RefundReason = z.enum(['user_request', 'defect', 'duplicate', 'late_payment', 'fraud', 'other'])
export type RefundReason = z.infer<typeof RefundReason>
