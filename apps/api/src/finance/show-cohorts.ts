import {
  type Churn,
  ChurnMonth,
  type Cohort,
  type CohortCell,
  type Cohorts,
  daysOfMonth,
  type Month,
  type MonthRange,
  monthAfter,
  RENEWAL_DAYS,
} from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { todayInChina } from '../dashboard/days.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { withinLimit } from '../platform/sql/transaction.ts'
import { cohortRowsSql, endRowsSql } from './account-sums.ts'
import { readLive } from './touched-accounts.ts'

const { sql } = Prisma

const daysOf = ({ from, to }: MonthRange) => ({ from: daysOfMonth(from).from, to: daysOfMonth(to).to })

async function readChurn(client: PoolClient, range: MonthRange): Promise<Churn> {
  const { live, reachedAt } = await readLive(client)
  if (!reachedAt) return { months: [], reachedAt }
  const [days, today] = [daysOf(range), todayInChina(reachedAt)]
  // A day is decided once everybody's time to renew is over, however late on that day the access ended.
  const isDecided = sql`day + ${RENEWAL_DAYS}::int < ${today}::date`
  const months = await execute(
    client,
    query(
      null,
      sql`
      SELECT left(day::text, 7) AS month, sum(ended)::int AS ended, sum(renewed)::int AS renewed,
        coalesce(sum(ended - renewed) FILTER (WHERE ${isDecided}), 0)::int AS lost,
        coalesce(sum(ended - renewed) FILTER (WHERE NOT ${isDecided}), 0)::int AS open
      FROM (SELECT day, ended, renewed FROM access_end_sums UNION ALL SELECT * FROM ${endRowsSql(live)} live) sums
      WHERE day BETWEEN ${days.from}::date AND ${days.to}::date AND day < ${today}::date
      GROUP BY 1 HAVING sum(ended) <> 0 ORDER BY 1`,
      columnsOf(ChurnMonth),
    ),
  )
  return { months, reachedAt }
}

/** Of whose access ended in these months, how many renewed and how many are lost. */
export const showChurn = (pool: Pool, range: MonthRange): Promise<Churn> =>
  withinLimit(pool, (client) => readChurn(client, range))

const cellColumns = {
  cohort: column.text,
  month: column.text,
  active: column.integer,
  payers: column.integer,
  netFen: column.number,
}
type Row = RowOf<typeof cellColumns>

const nothing = { active: 0, payers: 0, netFen: 0 }

/** Every month from the first payment to the month it is, also where nothing happened. */
function cellsOf(rows: readonly Row[], { from, to }: MonthRange): CohortCell[] {
  const cells: CohortCell[] = []
  for (let month: Month = from; month <= to; month = monthAfter(month, 1)) {
    const { active, payers, netFen } = rows.find((row) => row.month === month) ?? nothing
    cells.push({ month, active, payers, netFen })
  }
  return cells
}

async function readCohorts(client: PoolClient, range: MonthRange): Promise<Cohorts> {
  const { live, reachedAt } = await readLive(client)
  if (!reachedAt) return { cohorts: [], reachedAt }
  const [days, today] = [daysOf(range), todayInChina(reachedAt)]
  const rows = await execute(
    client,
    query(
      null,
      sql`
      SELECT left(cohort::text, 7) AS cohort, left(month::text, 7) AS month, sum(active)::int AS active,
        sum(payers)::int AS payers, sum(net_fen)::float8 AS "netFen"
      FROM (
        SELECT cohort, month, active, payers, net_fen FROM cohort_month_sums
        UNION ALL SELECT * FROM ${cohortRowsSql(live)} live) sums
      WHERE cohort BETWEEN ${days.from}::date AND ${days.to}::date AND month <= ${today}::date
      GROUP BY 1, 2 ORDER BY 1, 2`,
      cellColumns,
    ),
  )
  const cohorts = [...new Set(rows.map(({ cohort }) => cohort))].map((month): Cohort => {
    const own = rows.filter(({ cohort }) => cohort === month)
    // Everybody of a cohort paid in its month.
    const users = own.find((row) => row.month === month)?.payers ?? 0
    return { month, users, cells: cellsOf(own, { from: month, to: today.slice(0, 7) }) }
  })
  return { cohorts: cohorts.filter(({ users }) => users > 0), reachedAt }
}

/** Users by the month of their first payment, and what became of them month by month. */
export const showCohorts = (pool: Pool, range: MonthRange): Promise<Cohorts> =>
  withinLimit(pool, (client) => readCohorts(client, range))
