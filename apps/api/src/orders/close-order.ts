import type { CloseReason } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import type { Trace } from './append-event.ts'
import { type Moving, moveOrder } from './move-order.ts'

type Closing = { outTradeNo: string; reason: CloseReason; trace: Trace }

export const closing = ({ outTradeNo, reason, trace }: Closing): Moving => {
  const changes = Prisma.sql`closed_at = business_now(), close_reason = ${reason}::close_reason, prepay_leased_until = NULL`
  return { outTradeNo, move: 'close', changes, trace }
}

/** Closes an order here. The platform was asked first and says not paid. */
export const closeOrder = (pool: Pool, closed: Closing): Promise<boolean> => moveOrder(pool, closing(closed))
