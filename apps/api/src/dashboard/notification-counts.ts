import { type DashboardRange, NotificationOutcome } from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { isTransactionOlderSql, keptSinceSql } from '../platform/time/business-time.ts'
import { withinSql } from './days.ts'
import { hourOfSql } from './subscription-facts.ts'

const { sql } = Prisma

/** What nearly all of them end in. */
const ordinary = 'applied'
const others = NotificationOutcome.options.filter((outcome) => outcome !== ordinary)

/** The first hour that was not added up, as text: read beforehand, so that the planner knows how few came since. */
async function findNextHour(client: PoolClient): Promise<string> {
  const [next] = await execute(
    client,
    query(
      'next-notification-hour',
      sql`SELECT coalesce(max(hour) + interval '1 hour', '-infinity')::text AS hour FROM notification_hour_sums`,
      { hour: column.text },
    ),
  )
  return next?.hour ?? '-infinity'
}

/**
 * Notifications of these days by outcome, as of now: a relation with `outcome` and `count`. How many came is added up
 * hour by hour; the few that did not end as most do may still change and are counted one by one, and the rest is most.
 * Inside a transaction with one snapshot.
 */
export async function notificationCountsSql(client: PoolClient, range: DashboardRange): Promise<Prisma.Sql> {
  const nextHour = await findNextHour(client)
  return sql`(
  WITH odd AS (
    SELECT outcome::text AS outcome, count(*) AS count FROM notifications
    WHERE outcome = ANY(${others}::notification_outcome[]) AND ${withinSql(sql`first_at`, range)} GROUP BY 1),
  total AS MATERIALIZED (
    SELECT (SELECT coalesce(sum(notifications), 0) FROM notification_hour_sums WHERE ${withinSql(sql`hour`, range)})
      + (SELECT count(*) FROM notifications WHERE ${withinSql(sql`first_at`, range)} AND first_at >= ${nextHour}::timestamptz)
      - (SELECT coalesce(sum(count), 0) FROM odd) AS count)
  SELECT outcome, count::int AS count FROM odd UNION ALL SELECT ${ordinary}, count::int FROM total WHERE count > 0)`
}

/** A notification is dated when its transaction begins: hours are counted when all that began in them have ended. */
const margin = { hour: sql`interval '5 minutes'`, transaction: sql`interval '4 minutes'` }
const hoursAtOnce = 500

const stepSql = sql`
  INSERT INTO notification_hour_sums (hour, notifications)
  SELECT h, (SELECT count(*) FROM notifications WHERE first_at >= h AND first_at < h + interval '1 hour')
  FROM (
    SELECT generate_series(
      (SELECT coalesce((SELECT max(hour) + interval '1 hour' FROM notification_hour_sums), ${hourOfSql(sql`min(first_at)`)}) FROM notifications),
      ${hourOfSql(sql`business_now() - ${margin.hour}`)} - interval '1 hour', interval '1 hour') AS h LIMIT ${hoursAtOnce}) hours
  WHERE NOT ${isTransactionOlderSql(margin.transaction)}
  ON CONFLICT (hour) DO NOTHING RETURNING hour`

/** Counts the notifications of the hours that are over, each hour once, and forgets the hours that are kept no longer. */
export async function addUpNotifications(pool: Pool): Promise<void> {
  const step = query('add-up-notifications', stepSql, { hour: column.instant })
  for (let added = hoursAtOnce; added === hoursAtOnce; ) added = (await execute(pool, step)).length
  await execute(
    pool,
    query(
      'forget-notification-hours',
      sql`DELETE FROM notification_hour_sums WHERE hour < ${keptSinceSql('notifications')}`,
    ),
  )
}
