import type { OrderState } from '@meridian/contracts'
import type { Look } from '../../ui/badge.tsx'

/** How each state of an order looks; the word is beside it. */
export const orderLooks: Readonly<Record<OrderState, Look>> = {
  created: { tone: 'info', icon: 'receipt' },
  prepay: { tone: 'wait' },
  paid: { tone: 'ok' },
  partly_refunded: { tone: 'back' },
  closed: { tone: 'quiet' },
  refunded: { tone: 'back' },
}
