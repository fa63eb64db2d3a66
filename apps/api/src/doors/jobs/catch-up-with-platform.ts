import { type ConfirmedPayment, MiniProgramError, PaymentsError } from '@meridian/payments'
import type { Jobs } from '../../jobs/job-table.ts'
import { businessTimeOf } from '../../jobs/read-queue.ts'
import { findPayableOrder } from '../../orders/move-order.ts'
import { recreateOrder } from '../../orders/recreate-order.ts'
import { listUnpaidOrders } from '../../orders/sweep-schedule.ts'
import { queueMissedDeliveries } from '../../payments/confirm-delivery.ts'
import { settleOrder } from '../../payments/settle-order.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import { dayBefore } from '../../platform/time/business-time.ts'
import type { Settlement } from '../../reconciliation/keep-rows.ts'
import { keepVirtualBills } from '../../reconciliation/keep-virtual-bills.ts'
import { reconcileDay } from '../../reconciliation/reconcile-day.ts'
import { askAboutSettlements, reconcileVirtualDay } from '../../reconciliation/reconcile-virtual-day.ts'
import { settleRefund } from '../../refunds/settle-refund.ts'
import type { Services } from '../../services.ts'
import { meetUser } from '../../users/log-in.ts'

/** What only the bill knew goes where every payment and every refund goes. */
const settlementBy = ({ database: { pool }, paymentGroups }: Services, mchId: string): Settlement => ({
  payment: (payment) => paymentGroups.apply(pool, payment, { confirmedBy: 'bill', requestId: null }),
  refund: (refund) => settleRefund(pool, refund, { channel: 'bill', requestId: null, mchId }),
})

/** The day that a job names, or the one before the moment that the queue meant. */
const dateOf = async (services: Services, named: Jobs['reconcile_day']): Promise<string> =>
  'date' in named ? named.date : dayBefore(await businessTimeOf(services.database.pool, named._cron.ts))

/** Reconciles the day that a job names; with payments off there is nothing to reconcile. */
export async function reconcileByClock(services: Services, named: Jobs['reconcile_day']): Promise<void> {
  if (!services.payments) return
  const date = await dateOf(services, named)
  await reconcileDay(services, date, settlementBy(services, services.payments.mchId))
}

/**
 * The same of virtual payment. The daily run also asks which payments have been settled, and begins again what no job
 * waits for.
 */
export async function reconcileVirtualByClock(
  services: Services,
  named: Jobs['reconcile_virtual_day'],
): Promise<void> {
  const { virtual, database } = services
  if (!virtual) return
  const date = await dateOf(services, named)
  await keepVirtualBills(services, date)
  await reconcileVirtualDay(services, date)
  if ('date' in named) return
  await queueMissedDeliveries(database.pool, virtual)
  await askAboutSettlements(services)
}

type Healed = {
  /** How many unpaid orders were asked about, and how many of them the platform says are paid or closed. */
  asked: number
  paid: number
  closed: number
  failed: number
  /** Orders that only the platform knew, made again and paid. */
  recreated: number
  /** Payments of the bills that fit no plan: work items of the reconciliation desk. */
  unexplained: string[]
  /** Days whose bill the platform has not written yet: today always, yesterday until late in the morning. */
  withoutBill: string[]
  /** Days whose bill could not be had. */
  unavailable: string[]
}

const askedAtOnce = 4
const dayMs = 86_400_000

const today = (now: Date) => dayBefore(new Date(now.getTime() + dayMs))

/** The days in China from the one of this instant until yesterday, as YYYY-MM-DD. */
function daysSince(from: Date, now: Date): string[] {
  const days: string[] = []
  const last = dayBefore(now)
  for (let at = from.getTime() + dayMs; ; at += dayMs) {
    const day = dayBefore(new Date(at))
    if (day > last) return days
    days.push(day)
  }
}

/**
 * Brings a restored database up to what the platform knows: every unpaid order is asked about, in whichever channel, and
 * the days since `from` are reconciled, by WeChat Pay's bills and by asking about each order of virtual payment. A payment
 * of an order that is not there any more makes the order again, where its price says which plan it was. May be repeated;
 * the bill of today is written tomorrow and is not asked for, and a day that cannot be had keeps no other from being read.
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
    unavailable: [],
  }
  if (!services.payments && !services.virtual) throw new DomainError('payment_not_configured')
  await askAboutUnpaidOrders(services, healed)
  const days = daysSince(from, services.runtime.now())
  if (services.payments) await readBills(services, services.payments.mchId, { days, healed })
  if (services.virtual) await askAboutDays(services, { days, healed })
  return healed
}

type Healing = { days: readonly string[]; healed: Healed }

async function readBills(services: Services, mchId: string, { days, healed }: Healing): Promise<void> {
  const ordinary = settlementBy(services, mchId)
  const settlement = {
    ...ordinary,
    payment: async (payment: ConfirmedPayment) => {
      await recreateIfLost(services, payment, healed)
      return ordinary.payment(payment)
    },
  }
  for (const day of days) {
    const state = await reconcileDay(services, day, settlement).then(
      (verdict) => verdict.state,
      (error: unknown) => {
        if (!(error instanceof PaymentsError)) throw error
        return 'unavailable' as const
      },
    )
    if (state === 'creating') healed.withoutBill.push(day)
    if (state === 'unavailable') healed.unavailable.push(day)
  }
  healed.withoutBill.push(today(services.runtime.now()))
}

/** Of virtual payment what was paid is known by asking about the orders that are here: none is made again. */
async function askAboutDays(services: Services, { days, healed }: Healing): Promise<void> {
  for (const day of days) {
    await reconcileVirtualDay(services, day).catch((error: unknown) => {
      if (!(error instanceof MiniProgramError)) throw error
      if (!healed.unavailable.includes(day)) healed.unavailable.push(day)
    })
  }
}

async function askAboutUnpaidOrders(services: Services, healed: Healed): Promise<void> {
  const unpaid = (await listUnpaidOrders(services.database.pool)).values()
  const ask = async () => {
    for (const order of unpaid) {
      healed.asked += 1
      const outcome = await settleOrder(services, { ...order, confirmedBy: 'sync', requestId: null }).catch(
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
  if (await findPayableOrder(pool, payment)) return
  const payer =
    payerOpenid && (await meetUser(pool, { openid: payerOpenid, mac: await dataKeys.markOf(payerOpenid) }))
  const platformHost = payments?.platformHost ?? ''
  const again = payer && (await recreateOrder(pool, { payment, userId: payer.id, platformHost }))
  if (again) healed.recreated += 1
  else healed.unexplained.push(outTradeNo)
}
