import { type Pool, run } from '@meridian/db'
import { raisedAlert } from '../alerts/raise-alert.ts'
import { findNeighbouringPayment } from '../orders/find-neighbouring-payment.ts'

/** What follows a payment: two orders of one user paid within ten minutes are looked at by a person. */
export async function followPayment(pool: Pool, outTradeNo: string): Promise<void> {
  const neighbour = await findNeighbouringPayment(pool, outTradeNo)
  if (!neighbour) return
  const subject = [outTradeNo, neighbour].sort().join(' ')
  await run(
    pool,
    'raise-alert',
    raisedAlert('possible_double_payment', subject, { orders: [outTradeNo, neighbour] }),
  )
}
