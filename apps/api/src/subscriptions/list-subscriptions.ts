import {
  type RowCount,
  type SubscriptionFilter,
  type SubscriptionListQuery,
  SubscriptionRow,
  type TwoWayPage,
} from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { z } from 'zod'
import { instantColumn, uuidColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql, withinSql } from '../platform/sql/conditions.ts'
import { type NameView, nicknameOfSql } from '../platform/sql/show-nickname.ts'
import { remainingDaysSql } from '../platform/time/business-time.ts'
import { currentPurchaseSql } from './unused-days.ts'

const { sql } = Prisma

const byEnd = { key: instantColumn(sql`expires_at`), id: uuidColumn(sql`user_id`) }
const sorts = { soonest: { ...byEnd, descending: false }, latest: { ...byEnd, descending: true } }

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
  const within = withinSql(sql`g.effective_at`, { from: freshFrom, to: freshTo })
  return [sql`user_id IN (SELECT g.user_id FROM grants g WHERE ${allOfSql(sql`g.seq = 1`, ...within)})`]
}

function conditions(filter: SubscriptionFilter): Prisma.Sql {
  const { state, daysLeft, from, to, search } = filter
  return allOfSql(
    // Whoever never had days has no end to be sorted by, and is found by their id alone.
    search === undefined
      ? sql`expires_at IS NOT NULL`
      : sql`user_id = ${isUserId(search) ? search : null}::uuid`,
    (state === 'active' || daysLeft !== undefined) && sql`expires_at > business_now()`,
    state === 'expired' && sql`expires_at <= business_now()`,
    daysLeft !== undefined && sql`expires_at <= business_now() + ${daysLeft}::int * interval '24 hours'`,
    ...withinSql(sql`expires_at`, { from, to }),
    ...freshWithin(filter),
  )
}

/**
 * Reads what is kept before it is put in order, where few may be: in the order of their ends, who began last month lies
 * behind everybody who began before, and the planner cannot know that.
 */
const fenceOf = (filter: SubscriptionFilter): Prisma.Sql =>
  freshWithin(filter).length > 0 ? sql`OFFSET 0` : Prisma.empty

/** One page of subscriptions by their end. */
export const listSubscriptions = (
  pool: Pool,
  query: SubscriptionListQuery,
  names: NameView = 'masked',
): Promise<TwoWayPage<SubscriptionRow>> =>
  readPage(
    pool,
    { sort: sorts[query.sort], asked: query, columns: columnsOf(SubscriptionRow) },
    ({ position, beyond, inOrder, orderBy }) => sql`
      WITH page AS (
        SELECT * FROM (SELECT * FROM subscriptions WHERE ${conditions(query)} AND ${beyond} ${fenceOf(query)}) kept
        ${inOrder})
      SELECT ${rowColumns}, ${nicknameOfSql(sql`s.user_id`, names)} AS customer, ${position} FROM page s ORDER BY ${orderBy}`,
  )

/** What the filters leave, as what follows `FROM`: in the order of their ends, which is an index, where many may be. */
export const subscriptionsFromSql = (filter: SubscriptionFilter): Prisma.Sql => sql`
  subscriptions WHERE ${conditions(filter)}
  ${freshWithin(filter).length > 0 ? Prisma.empty : sql`ORDER BY expires_at, user_id`}`

/** How many subscriptions the filters leave. */
export const countSubscriptions = (pool: Pool, filter: SubscriptionFilter): Promise<RowCount> =>
  countRows(pool, subscriptionsFromSql(filter))
