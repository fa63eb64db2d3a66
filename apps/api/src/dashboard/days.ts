import { type DashboardRange, dayAfter } from '@meridian/contracts'
import { Prisma } from '@meridian/db'

const { sql } = Prisma

const DAY_MS = 86_400_000

/** The range that lies just before, as long as this one. */
export function rangeBefore({ from, to }: DashboardRange): DashboardRange {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return { from: dayAfter(from, -days), to: dayAfter(from, -1) }
}

/** An SQL condition: the instant falls into these days of Asia/Shanghai. A range, so that an index serves it. */
export const withinSql = (instant: Prisma.Sql, { from, to }: DashboardRange): Prisma.Sql => sql`(
  ${instant} >= ${from}::date::timestamp AT TIME ZONE 'Asia/Shanghai'
  AND ${instant} < (${to}::date + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')`

/** The day it is now in China, where summer time is not known. */
export const todayInChina = (now: Date): string =>
  new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
