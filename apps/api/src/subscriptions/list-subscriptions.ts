import {
  type RowCount,
  type SubscriptionFilter,
  type SubscriptionListQuery,
  SubscriptionRow,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Pool, Prisma, type RowOf } from '@meridian/db'
import { z } from 'zod'
import { countRows } from '../platform/paging/count-tabs.ts'
import { type KeysetSort, keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { InstantKey } from '../platform/paging/paging.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/run-limited.ts'
import { remainingDaysSql } from '../platform/time/remaining-days.ts'
import { currentPurchaseSql } from './current-purchase.ts'

const { sql } = Prisma

const byEnd = {
  column: sql`expires_at`,
  type: sql`timestamptz`,
  Key: InstantKey,
  id: sql`user_id`,
  idType: sql`uuid`,
  Id: z.uuid(),
}
const sorts = {
  soonest: { ...byEnd, descending: false },
  latest: { ...byEnd, descending: true },
} as const satisfies Record<SubscriptionListQuery['sort'], KeysetSort>

/** The plan of the last purchase whose days are left; `s` is the subscription. */
export const currentPlanNameSql = currentPurchaseSql(sql`purchase.plan_name`, {
  userId: sql`s.user_id`,
  expiresAt: sql`s.expires_at`,
})

/** Features whose clock is ahead of now. */
export const usableFeaturesSql = sql`ARRAY(
  SELECT key FROM jsonb_each_text(s.feature_expires_at) WHERE value::timestamptz > business_now() ORDER BY key)`

const rowColumns = sql`
  s.user_id AS "userId", coalesce(s.expires_at > business_now(), false) AS "isActive", s.expires_at AS "expiresAt",
  ${remainingDaysSql(sql`s.expires_at`)} AS "remainingDays", ${currentPlanNameSql} AS "planName",
  ${usableFeaturesSql} AS features, s.seq AS entries`

const isUserId = (text: string) => z.uuid().safeParse(text).success

/** Who had no days before. */
function freshWithin({ freshFrom, freshTo }: SubscriptionFilter): Prisma.Sql[] {
  if (!freshFrom && !freshTo) return []
  return [
    sql`user_id IN (SELECT g.user_id FROM grants g WHERE g.seq = 1
      AND ${freshFrom ? sql`g.effective_at >= ${freshFrom}` : sql`TRUE`}
      AND ${freshTo ? sql`g.effective_at < ${freshTo}` : sql`TRUE`})`,
  ]
}

function conditions(filter: SubscriptionFilter): Prisma.Sql {
  const { state, daysLeft, from, to, search } = filter
  const list = [
    // Whoever never had days has no end to be sorted by, and is found by their id alone.
    search === undefined
      ? sql`expires_at IS NOT NULL`
      : sql`user_id = ${isUserId(search) ? search : null}::uuid`,
    ...(state === 'active' || daysLeft !== undefined ? [sql`expires_at > business_now()`] : []),
    ...(state === 'expired' ? [sql`expires_at <= business_now()`] : []),
    ...(daysLeft !== undefined
      ? [sql`expires_at <= business_now() + ${daysLeft}::int * interval '24 hours'`]
      : []),
    ...(from ? [sql`expires_at >= ${from}`] : []),
    ...(to ? [sql`expires_at < ${to}`] : []),
    ...freshWithin(filter),
  ]
  return Prisma.join(list, ' AND ')
}

const listed = columnsOf(SubscriptionRow.extend({ sortKey: z.string() }))
type Read = RowOf<typeof listed>
const toRow = ({ sortKey: _, ...row }: Read): SubscriptionRow => row

/**
 * Reads what is kept before it is put in order, where few may be: in the order of their ends, who began last month lies
 * behind everybody who began before, and the planner cannot know that.
 */
const fenceOf = (filter: SubscriptionFilter): Prisma.Sql =>
  freshWithin(filter).length > 0 ? sql`OFFSET 0` : Prisma.empty

/** One page of subscriptions by their end, forwards or backwards, at the same cost at any depth. */
export async function listSubscriptions(
  pool: Pool,
  query: SubscriptionListQuery,
): Promise<TwoWayPage<SubscriptionRow>> {
  const { sort, limit, cursor: text, ...filter } = query
  const { cursor, beyond, orderBy } = keysetOf(sorts[sort], text)
  const rows = await readLimited(
    pool,
    sql`
      WITH page AS (
        SELECT * FROM (SELECT * FROM subscriptions WHERE ${conditions(filter)} AND ${beyond} ${fenceOf(filter)}) kept
        ORDER BY ${orderBy} LIMIT ${limit + 1})
      SELECT ${rowColumns}, coalesce(s.expires_at::text, '') AS "sortKey" FROM page s ORDER BY ${orderBy}`,
    listed,
  )
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, row.userId])
  return { ...page, items: page.items.map(toRow) }
}

/** How many subscriptions the filters leave. */
export const countSubscriptions = (pool: Pool, filter: SubscriptionFilter): Promise<RowCount> =>
  countRows(pool, sql`subscriptions WHERE ${conditions(filter)}`)
