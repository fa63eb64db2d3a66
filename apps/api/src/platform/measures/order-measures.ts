import { channel } from 'node:diagnostics_channel'
import type { ConfirmedBy, OrderMove, PaymentChannel } from '@meridian/contracts'

export type MovedOrder = { move: 'create' | OrderMove; channel: PaymentChannel }
export type GrantedPayment = { confirmedBy: ConfirmedBy; channel: PaymentChannel; seconds: number }

// The diagnostics channels of Node: who moves an order need not know who counts, and nobody counting costs nothing.
const moves = channel('meridian:order-moved')
const grants = channel('meridian:payment-granted')

/** Says that a move was made. */
export const measureMove = (move: MovedOrder['move'], channel: PaymentChannel): void =>
  moves.publish({ move, channel } satisfies MovedOrder)

/** Says that a payment counts now, and how long after the platform's success time. */
export const measureGrant = (
  confirmedBy: ConfirmedBy,
  { channel, paidAt, now }: { channel: PaymentChannel; paidAt: Date; now: Date },
): void => {
  const seconds = Math.max(0, (now.getTime() - paidAt.getTime()) / 1000)
  grants.publish({ confirmedBy, channel, seconds } satisfies GrantedPayment)
}

type Listeners = { onMove: (moved: MovedOrder) => void; onGrant: (granted: GrantedPayment) => void }

/** Hears of every move and grant of this process. */
export function listenToOrders({ onMove, onGrant }: Listeners): void {
  moves.subscribe((message) => {
    if (isMoved(message)) onMove(message)
  })
  grants.subscribe((message) => {
    if (isGranted(message)) onGrant(message)
  })
}

const isMoved = (message: unknown): message is MovedOrder =>
  typeof message === 'object' && message !== null && 'move' in message
const isGranted = (message: unknown): message is GrantedPayment =>
  typeof message === 'object' && message !== null && 'confirmedBy' in message
