import type { Jobs } from '../../jobs/job-table.ts'
import { businessTimeOf } from '../../jobs/queue-time.ts'
import { applyPayment } from '../../payments/apply-payment.ts'
import { dayBefore } from '../../reconciliation/china-day.ts'
import type { Settlement } from '../../reconciliation/keep-rows.ts'
import { reconcileDay } from '../../reconciliation/reconcile-day.ts'
import { settleRefund } from '../../refunds/settle-refund.ts'
import type { Services } from '../../services.ts'

/** What only the bill knew goes where every payment and every refund goes. */
export const settlementBy = ({ database: { pool } }: Services, mchId: string): Settlement => ({
  payment: (payment) => applyPayment(pool, payment, { confirmedBy: 'bill', requestId: null }),
  refund: (refund) => settleRefund(pool, refund, { channel: 'bill', requestId: null, mchId }),
})

/** Reconciles the day that a job names; with payments off there is nothing to reconcile. */
export async function reconcileByClock(services: Services, named: Jobs['reconcile_day']): Promise<void> {
  if (!services.payments) return
  const { pool } = services.database
  const date = 'date' in named ? named.date : dayBefore(await businessTimeOf(pool, named._cron.ts))
  await reconcileDay(services, date, settlementBy(services, services.payments.mchId))
}
