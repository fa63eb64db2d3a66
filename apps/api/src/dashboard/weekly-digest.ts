import { type DashboardRange, dayAfter } from '@meridian/contracts'
import { column, execute, nullable, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { summariseInbox } from '../inbox/list-inbox.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import { rangeBefore, todayInChina, withinSql } from './days.ts'
import { showRevenue } from './show-sales.ts'

const { sql } = Prisma

const Range = z.object({ from: z.iso.date(), to: z.iso.date() })
const Compared = z.object({ now: z.number(), before: z.number() })

/** What a week came to, beside the week before it, and what waits. */
export const DigestFigures = z.object({
  week: Range,
  before: Range,
  grossFen: Compared,
  refundFen: Compared,
  netFen: Compared,
  fresh: Compared,
  renewed: Compared,
  waiting: z.object({ count: z.int(), oldest: z.iso.datetime().nullable() }),
})
export type DigestFigures = z.infer<typeof DigestFigures>

/** The last whole week, from Monday on. */
export function lastWeekOf(now: Date): DashboardRange {
  const today = todayInChina(now)
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  const monday = dayAfter(today, -sinceMonday)
  return rangeBefore({ from: monday, to: dayAfter(monday, 6) })
}

/** Purchases of both weeks by whether they were the first of their user. */
async function countPurchases(pool: Pool, week: DashboardRange, before: DashboardRange) {
  const rows = await readLimited(
    pool,
    sql`
      SELECT current, is_first AS "isFirst", count(*)::int AS count FROM (
        SELECT ${withinSql(sql`o.paid_at`, week)} AS current, NOT EXISTS (
          SELECT FROM grants e WHERE e.user_id = g.user_id AND e.kind = 'purchase' AND e.seq < g.seq) AS is_first
        FROM orders o JOIN grants g ON g.order_id = o.id AND g.kind = 'purchase'
        WHERE ${withinSql(sql`o.paid_at`, { from: before.from, to: week.to })} AND NOT o.imported) purchases
      GROUP BY 1, 2`,
    { current: column.boolean, isFirst: column.boolean, count: column.integer },
  )
  const of = (isFirst: boolean, current: boolean) =>
    rows.find((row) => row.isFirst === isFirst && row.current === current)?.count ?? 0
  return {
    fresh: { now: of(true, true), before: of(true, false) },
    renewed: { now: of(false, true), before: of(false, false) },
  }
}

async function readFigures(pool: Pool, week: DashboardRange, now: Date): Promise<DigestFigures> {
  const before = rangeBefore(week)
  const { range } = await showRevenue(pool, week, now)
  const { count, oldest } = await summariseInbox(pool)
  const compared = (key: 'grossFen' | 'refundFen' | 'netFen') => ({
    now: range.now[key],
    before: range.before[key],
  })
  return {
    week,
    before,
    grossFen: compared('grossFen'),
    refundFen: compared('refundFen'),
    netFen: compared('netFen'),
    ...(await countPurchases(pool, week, before)),
    waiting: { count, oldest: oldest?.toISOString() ?? null },
  }
}

const isOnSql = sql`
  SELECT coalesce((SELECT value FROM settings WHERE key = 'weekly_digest'), 'true'::jsonb) = 'true'::jsonb AS "isOn"`

/** So many digests are kept, for nobody tells an old one. */
const keptWeeks = 60

/**
 * Writes down what the last whole week came to, for the channels to be told: once for each week, however many workers
 * try. Answers whether this call did; false too while the setting says that nobody wants it.
 */
export async function writeDigest(pool: Pool, now: Date): Promise<boolean> {
  const [setting] = await execute(pool, query('is-digest-wanted', isOnSql, { isOn: column.boolean }))
  const week = lastWeekOf(now)
  if (!setting?.isOn) return false
  const figures = JSON.stringify(await readFigures(pool, week, now))
  const written = await execute(
    pool,
    query(
      'write-digest',
      sql`
      WITH old AS (DELETE FROM weekly_digests WHERE week < ${week.from}::date - ${keptWeeks * 7}::int)
      INSERT INTO weekly_digests (week, figures) VALUES (${week.from}::date, ${figures}::jsonb)
      ON CONFLICT (week) DO NOTHING RETURNING week`,
      { week: nullable(column.text) },
    ),
  )
  return written.length > 0
}
