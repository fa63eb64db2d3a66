import { ENDS_SOON_DAYS, type SubscriptionFilter, type SubscriptionSums } from '@meridian/contracts'
import { column, type Pool, Prisma } from '@meridian/db'
import { countTabs, sumRows } from '../platform/paging/read-page.ts'
import { remainingDaysSql } from '../platform/time/business-time.ts'
import { subscriptionsFromSql } from './list-subscriptions.ts'

const { sql } = Prisma

const parts = ['active', 'endingSoon', 'expired'] as const

/** What a part adds to the filter; null where the filter leaves nothing of it. */
function narrowed(filter: SubscriptionFilter, part: (typeof parts)[number]): SubscriptionFilter | null {
  const isActive = part !== 'expired'
  if (filter.state !== undefined && filter.state !== (isActive ? 'active' : 'expired')) return null
  if (!isActive) return filter.daysLeft === undefined ? { ...filter, state: 'expired' } : null
  if (part === 'active') return { ...filter, state: 'active' }
  return { ...filter, state: 'active', daysLeft: Math.min(ENDS_SOON_DAYS, filter.daysLeft ?? ENDS_SOON_DAYS) }
}

/** How the subscriptions of a filter stand, each number counted out of the index of their ends. */
export async function sumSubscriptions(pool: Pool, filter: SubscriptionFilter): Promise<SubscriptionSums> {
  const [{ remainingDays, ...all }, counts] = await Promise.all([
    sumRows(pool, {
      of: sql`${remainingDaysSql(sql`expires_at`)} AS days`,
      sums: sql`coalesce(sum(days), 0)::int AS "remainingDays"`,
      from: subscriptionsFromSql(filter),
      columns: { remainingDays: column.integer },
    }),
    countTabs(pool, parts, (part) => {
      const within = narrowed(filter, part)
      return within ? subscriptionsFromSql(within) : sql`(SELECT WHERE FALSE) nothing`
    }),
  ])
  const countOf = (wanted: (typeof parts)[number]) => {
    const { count = 0, more = false } = counts.find(({ tab }) => tab === wanted) ?? {}
    return { count, more }
  }
  return {
    ...all,
    active: countOf('active'),
    endingSoon: countOf('endingSoon'),
    expired: countOf('expired'),
    remainingDays: all.more ? null : remainingDays,
  }
}
