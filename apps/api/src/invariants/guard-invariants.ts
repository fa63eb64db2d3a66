import { execute, type Pool, query } from '@meridian/db'
import { raiseAlertSql } from '../alerts/raise-alert.ts'
import { parkOrder } from '../orders/park-order.ts'
import { checkInvariants, type Violation } from './check-invariants.ts'

const lookBackMs = 3_600_000

/** Looks, raises an alert for each violation, and parks the order that is to blame: nothing automatic until somebody looks. */
export async function guardInvariants(pool: Pool, now: Date): Promise<Violation[]> {
  const violations = await checkInvariants(pool, { ledgerSince: new Date(now.getTime() - lookBackMs) })
  for (const { invariant, subject, outTradeNo } of violations) {
    await execute(
      pool,
      query('raise-invariant', raiseAlertSql('invariant_violated', `${invariant} ${subject}`, { invariant })),
    )
    if (outTradeNo)
      await parkOrder(pool, { outTradeNo, reason: invariant, trace: { channel: 'job', requestId: null } })
  }
  return violations
}
