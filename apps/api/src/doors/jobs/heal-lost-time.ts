import type { ConfirmedPayment } from '@meridian/payments'
import { DomainError } from '../../domain-error.ts'
import { findPayableOrder } from '../../orders/find-payable-order.ts'
import { listUnpaidOrders } from '../../orders/find-sweepable-order.ts'
import { recreateOrder } from '../../orders/recreate-order.ts'
import { settleOrder } from '../../paid/settle-order.ts'
import { dayBefore } from '../../reconciliation/china-day.ts'
import { reconcileDay } from '../../reconciliation/reconcile-day.ts'
import type { Services } from '../../services.ts'
import { meetUser } from '../../users/log-in.ts'
import { settlementBy } from './reconcile-by-clock.ts'

export type Healed = {
  /** How many unpaid orders were asked about, and how many of them the platform says are paid or closed. */
  asked: number
  paid: number
  closed: number
  failed: number
  /** Orders that only the platform knew, made again and paid. */
  recreated: number
  /** Payments of the bills that fit no plan: work items of the reconciliation desk. */
  unexplained: string[]
  /** Days whose bill the platform has not written yet. */
  withoutBill: string[]
}

const askedAtOnce = 4
const dayMs = 86_400_000

/** The days in China from the one of this instant until today, as YYYY-MM-DD. */
function daysSince(from: Date): string[] {
  const days: string[] = []
  const last = dayBefore(new Date(Date.now() + dayMs))
  for (let at = from.getTime() + dayMs; ; at += dayMs) {
    const day = dayBefore(new Date(at))
    if (day > last) return days
    days.push(day)
  }
}

/**
 * Brings a restored database up to what the platform knows: every unpaid order is asked about, and the bills since
 * `from` are reconciled. A payment of an order that is not there any more makes the order again, where its price says
 * which plan it was. May be repeated; tomorrow's bill tells what today's is still missing.
 * @throws DomainError payment_not_configured
 */
export async function healLostTime(services: Services, from: Date): Promise<Healed> {
  const healed: Healed = {
    asked: 0,
    paid: 0,
    closed: 0,
    failed: 0,
    recreated: 0,
    unexplained: [],
    withoutBill: [],
  }
  if (!services.payments) throw new DomainError('payment_not_configured')
  await askAboutUnpaidOrders(services, healed)
  const ordinary = settlementBy(services, services.payments.mchId)
  const settlement = {
    ...ordinary,
    payment: async (payment: ConfirmedPayment) => {
      await recreateIfLost(services, payment, healed)
      return ordinary.payment(payment)
    },
  }
  for (const day of daysSince(from)) {
    const verdict = await reconcileDay(services, day, settlement)
    if (verdict.state === 'creating') healed.withoutBill.push(day)
  }
  return healed
}

async function askAboutUnpaidOrders(services: Services, healed: Healed): Promise<void> {
  const unpaid = (await listUnpaidOrders(services.database.pool)).values()
  const ask = async () => {
    for (const outTradeNo of unpaid) {
      healed.asked += 1
      const outcome = await settleOrder(services, { outTradeNo, confirmedBy: 'sync', requestId: null }).catch(
        (error: unknown) => {
          if (!(error instanceof DomainError)) throw error
          return 'failed' as const
        },
      )
      if (outcome === 'paid' || outcome === 'closed' || outcome === 'failed') healed[outcome] += 1
    }
  }
  await Promise.all(Array.from({ length: askedAtOnce }, ask))
}

async function recreateIfLost(services: Services, payment: ConfirmedPayment, healed: Healed): Promise<void> {
  const { dataKeys, database, payments } = services
  const { pool } = database
  const { outTradeNo, payerOpenid } = payment
  if (await findPayableOrder(pool, outTradeNo)) return
  const payer = payerOpenid && (await meetUser(pool, payerOpenid, await dataKeys.markOf(payerOpenid)))
  const platformHost = payments?.platformHost ?? ''
  const again = payer && (await recreateOrder(pool, { payment, userId: payer.id, platformHost }))
  if (again) healed.recreated += 1
  else healed.unexplained.push(outTradeNo)
}
