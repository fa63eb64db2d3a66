import type { CloseReason } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import type { Trace } from './append-event.ts'
import { moveOrder } from './move-order.ts'

/** Closes an order here. The platform was asked first and says not paid. */
export const closeOrder = (
  pool: Pool,
  { outTradeNo, reason, trace }: { outTradeNo: string; reason: CloseReason; trace: Trace },
): Promise<boolean> => {
  const changes = Prisma.sql`closed_at = business_now(), close_reason = ${reason}::close_reason, prepay_leased_until = NULL`
  return moveOrder(pool, { outTradeNo, move: 'close', changes, trace })
}
