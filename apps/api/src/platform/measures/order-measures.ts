import { channel } from 'node:diagnostics_channel'
import type { ConfirmedBy, OrderMove, PaymentChannel } from '@meridian/contracts'

export type MovedOrder = { move: 'create' | OrderMove; channel: PaymentChannel }
/** An order that the request or job at hand is about; new when it has just been made. */
type SeenOrder = { outTradeNo: string; isNew: boolean }
export type GrantedPayment = { confirmedBy: ConfirmedBy; channel: PaymentChannel; seconds: number }

// The diagnostics channels of Node: who moves an order need not know who counts, and nobody counting costs nothing.
const moves = channel('meridian:order-moved')
const grants = channel('meridian:payment-granted')
const seen = channel('meridian:order-seen')

/** Says that a move was made, and of which order where that is known. */
export function measureMove(move: MovedOrder['move'], channel: PaymentChannel, outTradeNo?: string): void {
  moves.publish({ move, channel } satisfies MovedOrder)
  if (outTradeNo !== undefined) seen.publish({ outTradeNo, isNew: move === 'create' } satisfies SeenOrder)
}

/** Whether anybody wants to know which orders something is done about. */
export const areOrdersWatched = (): boolean => seen.hasSubscribers

/** Says that what is being done is about an order; a text that is no number of one is nobody's. */
export function noteOrder(outTradeNo: string | null | undefined): void {
  if (areOrdersWatched() && outTradeNo && /^M[0-9A-Z]{26}$/.test(outTradeNo))
    seen.publish({ outTradeNo, isNew: false } satisfies SeenOrder)
}

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

/** Hears of every order that something is done about. Answers how to stop. */
export function listenToSeenOrders(listener: (outTradeNo: string, isNew: boolean) => void): () => void {
  const hear = (message: unknown) => {
    if (isSeen(message)) listener(message.outTradeNo, message.isNew)
  }
  seen.subscribe(hear)
  return () => void seen.unsubscribe(hear)
}

const isSeen = (message: unknown): message is SeenOrder =>
  typeof message === 'object' && message !== null && 'outTradeNo' in message && 'isNew' in message
const isMoved = (message: unknown): message is MovedOrder =>
  typeof message === 'object' && message !== null && 'move' in message
const isGranted = (message: unknown): message is GrantedPayment =>
  typeof message === 'object' && message !== null && 'confirmedBy' in message
