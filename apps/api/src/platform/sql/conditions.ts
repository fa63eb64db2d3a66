import { Prisma } from '@meridian/db'

const { sql } = Prisma

type Condition = Prisma.Sql | '' | false | null | undefined

/** All the conditions that are there; true where none is. */
export const allOfSql = (...conditions: readonly Condition[]): Prisma.Sql =>
  Prisma.join([sql`TRUE`, ...conditions.flatMap((one) => one || [])], ' AND ')

/** The last 90 days: where a filter has no index of its own, it holds within a time range. */
export const recentSql = (column: Prisma.Sql): Prisma.Sql =>
  sql`${column} >= business_now() - interval '2160 hours'`

type Bounds = { from?: Date | string | undefined; to?: Date | string | undefined }

/** From an instant on and before another; where the range is needed and has no beginning, the last 90 days. */
export const withinSql = (
  column: Prisma.Sql,
  { from, to }: Bounds,
  { needsRange = false } = {},
): Prisma.Sql[] => [
  ...(from ? [sql`${column} >= ${from}`] : needsRange ? [recentSql(column)] : []),
  ...(to ? [sql`${column} < ${to}`] : []),
]

/** A text that LIKE takes by its letters: `%`, `_` and `\` mean themselves. */
export const likePattern = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
