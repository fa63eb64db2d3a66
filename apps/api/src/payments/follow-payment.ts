import { execute, type Pool, query } from '@meridian/db'
import { raiseAlertSql } from '../alerts/write-alert.ts'
import { findParking } from '../orders/read-orders.ts'
import { findNeighbouringPayment } from '../orders/second-payment.ts'

/** A payment that somebody must decide about waits where operators look. */
async function raiseParked(pool: Pool, outTradeNo: string): Promise<void> {
  const reason = (await findParking(pool, outTradeNo))?.parkReason
  if (reason) await execute(pool, query('raise-alert', raiseAlertSql('order_parked', outTradeNo, { reason })))
}

/** What follows a payment: a parked one is told, two orders of one user paid within ten minutes are looked at by a person. */
export async function followPayment(pool: Pool, outTradeNo: string): Promise<void> {
  await raiseParked(pool, outTradeNo)
  const neighbour = await findNeighbouringPayment(pool, outTradeNo)
  if (!neighbour) return
  const subject = [outTradeNo, neighbour].sort().join(' ')
  await execute(
    pool,
    query(
      'raise-alert',
      raiseAlertSql('possible_double_payment', subject, { orders: [outTradeNo, neighbour] }),
    ),
  )
}
