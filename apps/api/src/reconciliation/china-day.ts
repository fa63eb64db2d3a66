import { Prisma } from '@meridian/db'

const CHINA_OFFSET_MS = 8 * 3_600_000
const DAY_MS = 86_400_000

/** The day before the one that this instant falls on in China, as YYYY-MM-DD. China knows no summer time. */
export const dayBefore = (instant: Date): string =>
  new Date(instant.getTime() + CHINA_OFFSET_MS - DAY_MS).toISOString().slice(0, 10)

/** An SQL condition: the instant falls on this day in China. A range, so that an index serves it. */
export const fallsOnSql = (instant: Prisma.Sql, date: string): Prisma.Sql => Prisma.sql`(
  ${instant} >= ${date}::date::timestamp AT TIME ZONE 'Asia/Shanghai'
  AND ${instant} < (${date}::date + 1)::timestamp AT TIME ZONE 'Asia/Shanghai')`
