import { enqueueNextSweep, findSweepableOrder, listReplacedOrders } from '../orders/sweep-schedule.ts'
import type { Services } from '../services.ts'
import { closeUnpaidOrder, settleOrder } from './settle-order.ts'

type Sweep = { outTradeNo: string; attempt: number }

/**
 * Asks about an unpaid order on the advised schedule; past its expiry closes it, on the platform and here.
 * @throws DomainError when the platform fails; the job comes again
 */
export async function sweepOrder(services: Services, { outTradeNo, attempt }: Sweep): Promise<void> {
  const { pool } = services.database
  const order = await findSweepableOrder(pool, outTradeNo)
  if (!order) return
  const inquiry = { outTradeNo, confirmedBy: 'sweep', requestId: null } as const
  if (order.overdue) {
    await closeUnpaidOrder(services, { ...inquiry, reason: 'expired' })
    return
  }
  // Two purchases at the same instant do not see each other, so that neither retires the other: this does.
  const outcome = order.superseded
    ? await closeUnpaidOrder(services, { ...inquiry, reason: 'superseded' })
    : await settleOrder(services, inquiry)
  if (outcome === 'unchanged') await enqueueNextSweep(pool, outTradeNo, attempt + 1)
}

/** A new purchase replaces the user's older unpaid orders: each is asked about, then closed. */
export async function retireUnpaidOrders(
  services: Services,
  { userId, exceptOutTradeNo }: { userId: string; exceptOutTradeNo: string },
): Promise<void> {
  for (const outTradeNo of await listReplacedOrders(services.database.pool, userId, exceptOutTradeNo)) {
    await closeUnpaidOrder(services, {
      outTradeNo,
      confirmedBy: 'sweep',
      requestId: null,
      reason: 'superseded',
    })
  }
}
