import type { Jobs } from '../jobs/job-table.ts'
import { closeAttempts, listOpenAttempts } from '../orders/order-attempts.ts'
import {
  enqueueNextSweep,
  enqueueNextWatch,
  findSweepableOrder,
  listReplacedOrders,
} from '../orders/sweep-schedule.ts'
import type { Services } from '../services.ts'
import { closeUnpaidOrder, settleOrder } from './settle-order.ts'

type Sweep = Jobs['sweep_order']

/**
 * Asks about an unpaid order on the advised schedule; past its expiry closes it, on the platform and here.
 * @throws DomainError when the platform fails; the job comes again
 */
export async function sweepOrder(
  services: Services,
  { outTradeNo, attempt, fromOpening }: Sweep,
): Promise<void> {
  const { pool } = services.database
  const order = await findSweepableOrder(pool, outTradeNo)
  if (!order) return
  const { channel } = order
  const inquiry = { outTradeNo, channel, confirmedBy: 'sweep', requestId: null } as const
  if (order.watched) return watch(services, inquiry, attempt)
  if (order.overdue) {
    await closeUnpaidOrder(services, { ...inquiry, reason: 'expired' })
    return
  }
  // Two purchases at the same instant do not see each other, so that neither retires the other: this does.
  const { superseded } = order
  // Its prepay failed or is under way: what obtains it plans a question of its own.
  if (fromOpening && order.unprepared && !superseded) return enqueueNextSweep(pool, outTradeNo, 0)
  const outcome = superseded
    ? await closeUnpaidOrder(services, { ...inquiry, reason: 'superseded' })
    : await settleOrder(services, inquiry)
  if (outcome === 'unchanged') await enqueueNextSweep(pool, outTradeNo, attempt + 1)
}

type Watched = Parameters<typeof settleOrder>[1]

/** Asks once more about attempts that may be paid still; after 72 h nobody asks any more. */
async function watch(services: Services, inquiry: Watched, attempt: number): Promise<void> {
  const { pool } = services.database
  const { outTradeNo } = inquiry
  await settleOrder(services, inquiry)
  if (await enqueueNextWatch(pool, outTradeNo, attempt + 1)) return
  const left = await listOpenAttempts(pool, outTradeNo)
  await closeAttempts(
    pool,
    left.map(({ number }) => number),
  )
}

/** A new purchase replaces the user's older unpaid orders: each is asked about, then closed. */
export async function retireUnpaidOrders(
  services: Services,
  { userId, exceptOutTradeNo }: { userId: string; exceptOutTradeNo: string },
): Promise<void> {
  for (const replaced of await listReplacedOrders(services.database.pool, userId, exceptOutTradeNo)) {
    await closeUnpaidOrder(services, {
      ...replaced,
      confirmedBy: 'sweep',
      requestId: null,
      reason: 'superseded',
    })
  }
}
