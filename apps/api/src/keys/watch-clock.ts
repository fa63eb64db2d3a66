import { execute, type Pool, query } from '@meridian/db'
import type { Payments } from '@meridian/payments'
import { raiseAlertSql } from '../alerts/write-alert.ts'

/** Beyond five minutes nothing verifies any more: somebody must know long before (acceptance rule 21). */
const tolerableSkewMs = 60_000

/** Raises an alert while our clock is not the platform's, as the last answer to this process showed it. */
export async function watchClock(
  pool: Pool,
  { clockSkewMs, platformHost }: Pick<Payments, 'clockSkewMs' | 'platformHost'>,
): Promise<void> {
  const skewMs = clockSkewMs()
  if (skewMs === null || Math.abs(skewMs) <= tolerableSkewMs) return
  await execute(pool, query('raise-clock-skew', raiseAlertSql('clock_skewed', platformHost, { skewMs })))
}
