import { column, execute, Prisma, query } from '@meridian/db'
import { dayBefore } from '../../platform/time/business-time.ts'
import { before, dayMs, hourMs, type Watch } from '../condition.ts'

/** Noon in China, an hour and a half after the bills are fetched, as an instant: 04:00 UTC of the next day. */
const deadlineOf = (date: string): Date => new Date(Date.parse(`${date}T00:00:00Z`) + dayMs + 4 * hourMs)

/** So many days a run that was missed is made up for by itself; older ones are asked for on the day's page. */
const days = 7

/**
 * Yesterday was not reconciled by noon in China, in every channel that is configured. Days before keep their alert until they are; a shop that had
 * no payment yet has nothing to reconcile.
 */
export const reconciliationMissing: Watch = {
  kind: 'reconciliation_missing',
  find: async ({ services, pool, now }) => {
    if (!services.payments && !services.virtual) return []
    const yesterday = dayBefore(now)
    const dates = Array.from({ length: days }, (_, back) => dayBefore(before(now, back * dayMs)))
    const rows = await execute(
      pool,
      query(
        null,
        Prisma.sql`
        SELECT day::text AS date FROM unnest(${dates}::date[]) day
        WHERE NOT EXISTS (SELECT 1 FROM reconciliation_days d WHERE d.date = day AND d.matched_at IS NOT NULL)
          AND EXISTS (SELECT 1 FROM orders WHERE NOT imported AND paid_at < (day + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')`,
        { date: column.text },
      ),
    )
    return rows
      .filter(({ date }) => deadlineOf(date) <= now)
      .map(({ date }) => ({
        subject: date,
        detail: { date },
        evidenceAt: deadlineOf(date),
        opens: date === yesterday,
      }))
  },
}
