import { EXACT_COUNT_LIMIT, type RowCount, type RowTotals } from '@meridian/contracts'
import { column, oneOf, type Pool, Prisma } from '@meridian/db'
import { readLimited } from '../sql/transaction.ts'

const { sql } = Prisma

const upToLimit = (count: number): RowCount => ({
  count: Math.min(count, EXACT_COUNT_LIMIT),
  more: count > EXACT_COUNT_LIMIT,
})

const countedSql = (from: Prisma.Sql): Prisma.Sql =>
  sql`count(*)::int AS count FROM (SELECT 1 FROM ${from} LIMIT ${EXACT_COUNT_LIMIT + 1}) counted`

/** How many rows there are of what follows `FROM`: exact up to 10,000. */
export async function countRows(pool: Pool, from: Prisma.Sql): Promise<RowCount> {
  const [row] = await readLimited(pool, sql`SELECT ${countedSql(from)}`, { count: column.integer })
  return upToLimit(row?.count ?? 0)
}

/** Count and sum of the amounts of what follows `FROM`: exact up to 10,000 rows. */
export async function sumAmounts(pool: Pool, from: Prisma.Sql): Promise<RowTotals> {
  const [row] = await readLimited(
    pool,
    sql`SELECT count(*)::int AS count, coalesce(sum(amount_fen), 0)::float8 AS "amountFen" FROM (
      SELECT amount_fen FROM ${from} LIMIT ${EXACT_COUNT_LIMIT + 1}) counted`,
    { count: column.integer, amountFen: column.real },
  )
  const { count = 0, amountFen = 0 } = row ?? {}
  return { ...upToLimit(count), amountFen }
}

/**
 * Counts the rows behind each tab of a list, all in one statement and each exactly up to 10,000. `from` says what
 * follows `FROM`; the order it names is the index that they are counted out of, whatever the planner believes of them.
 */
export async function countTabs<Tab extends string>(
  pool: Pool,
  tabs: readonly Tab[],
  from: (tab: Tab) => Prisma.Sql,
): Promise<(RowCount & { tab: Tab })[]> {
  const counts = tabs.map((tab) => sql`SELECT ${tab}::text AS tab, ${countedSql(from(tab))}`)
  const rows = await readLimited(pool, Prisma.join(counts, ' UNION ALL '), {
    tab: oneOf(tabs),
    count: column.integer,
  })
  return rows.map(({ tab, count }) => ({ tab, ...upToLimit(count) }))
}
