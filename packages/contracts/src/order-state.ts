import type { orderStatuses } from './choices.ts'

type OrderStatus = (typeof orderStatuses)[number]

/** What people see of an order: the status of the ledger, but that a refund of a part is seen. */
export type OrderState = OrderStatus | 'partly_refunded'

type Sums = { status: OrderStatus; amountFen: number; refundedFen: number }

/** Without zod, as `choices.ts` is. The stored status of a partly refunded order stays `paid` (SPEC §2). */
export const orderStateOf = ({ status, amountFen, refundedFen }: Sums): OrderState =>
  status === 'paid' && refundedFen > 0 && refundedFen < amountFen ? 'partly_refunded' : status
