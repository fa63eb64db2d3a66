import { z } from 'zod'
import { confirmationSources, orderStatuses, paymentChannels } from './choices.ts'
import { unpaidStatuses } from './unpaid.ts'

export const OrderStatus = z.enum(orderStatuses)
export type OrderStatus = z.infer<typeof OrderStatus>

/** By which of the platform's two channels an order is paid (SPEC §15). */
export const PaymentChannel = z.enum(paymentChannels)
export type PaymentChannel = z.infer<typeof PaymentChannel>

/** How we learned of a confirmed payment. */
export const ConfirmedBy = z.enum(confirmationSources)
export type ConfirmedBy = z.infer<typeof ConfirmedBy>

export const CloseReason = z.enum(['expired', 'cancelled', 'superseded', 'platform_closed', 'operator'])
export type CloseReason = z.infer<typeof CloseReason>

type Move = { from: readonly OrderStatus[]; to: OrderStatus }

/** Every way an order may change its status. A payment may land just after we closed, hence `pay` from `closed`. */
export const orderMoves = {
  prepare: { from: unpaidStatuses, to: 'prepay' },
  pay: { from: [...unpaidStatuses, 'closed'], to: 'paid' },
  close: { from: unpaidStatuses, to: 'closed' },
  refund: { from: ['paid'], to: 'refunded' },
} as const satisfies Record<string, Move>

export type OrderMove = keyof typeof orderMoves

/** Whether `move` is open from `status`. */
export const canMove = (status: OrderStatus, move: OrderMove): boolean =>
  orderMoves[move].from.some((from) => from === status)
