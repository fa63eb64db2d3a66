import { execute, type PoolClient, Prisma, query } from '@meridian/db'
import { dayNumber, dayText, incomeByDay, lastDay } from './income-by-day.ts'
import { accountUpTo, type Lines, type WrittenAccount } from './read-accounts.ts'
import { accessEnds, cohortMonths, monthText } from './user-months.ts'

const { sql } = Prisma

/** Rows of a table of sums: the key of each row, and its figures in the order of the table's columns. */
type Sums = Map<string, number[]>

function add(sums: Sums, key: string, figures: readonly number[]): void {
  const sum = sums.get(key)
  if (!sum) sums.set(key, [...figures])
  else for (const [at, figure] of figures.entries()) sum[at] = (sum[at] ?? 0) + figure
}

/** Sums for `income_day_sums`, `access_end_sums` and `cohort_month_sums`. */
export type AccountSums = { income: Sums; ends: Sums; cohorts: Sums }
export const noSums = (): AccountSums => ({ income: new Map(), ends: new Map(), cohorts: new Map() })

/** The first day whose income the lines after these change; null where none of them changes any. */
function firstDayAfter({ ledger, orders }: WrittenAccount, { grants, events }: Lines): number | null {
  const booked = orders.flatMap((order) => [order, ...order.refunds]).filter(({ line }) => line > events)
  const given = ledger.filter(({ line }) => line > grants)
  const days = [
    ...booked.map(({ bookedAt }) => dayNumber(bookedAt)),
    ...given.map(({ effectiveAt }) => dayNumber(effectiveAt)),
  ]
  return days.reduce<number | null>((first, day) => (first === null ? day : Math.min(first, day)), null)
}

type Change = { before: Lines; after: Lines }

/** Adds to the sums what the lines between `before` and `after` change for one user: the user's sums with them, less those without. */
export function addChange(sums: AccountSums, written: WrittenAccount, { before, after }: Change): void {
  const from = firstDayAfter(written, before)
  // The refund of a second payment changes nothing here: that payment was never income.
  if (from === null) return
  for (const [lines, sign] of [[before, -1] as const, [after, 1] as const]) {
    const account = accountUpTo(written, lines)
    for (const { day, channel, newFen, refundedFen, earnedFen } of incomeByDay(account, from))
      add(sums.income, `${Math.min(day, lastDay)} ${channel}`, [
        sign * newFen,
        sign * refundedFen,
        sign * earnedFen,
      ])
    for (const { day, renewed } of accessEnds(account.ledger))
      add(sums.ends, dayText(day), [sign, renewed ? sign : 0])
    for (const { cohort, month, active, payers, netFen } of cohortMonths(account.ledger, account.orders))
      add(sums.cohorts, `${monthText(cohort)} ${monthText(month)}`, [
        sign * active,
        sign * payers,
        sign * netFen,
      ])
  }
}

/** The keys and figures of all rows that are not zero, as one array for each column. */
function rowsOf(sums: Sums) {
  const rows = [...sums].filter(([, figures]) => figures.some((figure) => figure !== 0))
  const keyAt = (at: number) => rows.map(([key]) => key.split(' ')[at] ?? '')
  const figureAt = (at: number) => rows.map(([, figures]) => figures[at] ?? 0)
  return { keyAt, figureAt }
}

/** The sums of income as a relation with the columns of `income_day_sums`. */
export function incomeRowsSql({ income }: AccountSums): Prisma.Sql {
  const { keyAt, figureAt } = rowsOf(income)
  const days = keyAt(0).map((day) => dayText(Number(day)))
  return sql`(
    SELECT day, channel::payment_channel AS channel, new_fen, refunded_fen, earned_fen
    FROM unnest(${days}::date[], ${keyAt(1)}::text[], ${figureAt(0)}::bigint[], ${figureAt(1)}::bigint[], ${figureAt(2)}::bigint[])
      x (day, channel, new_fen, refunded_fen, earned_fen))`
}

/** The ends of access as a relation with the columns of `access_end_sums`. */
export function endRowsSql({ ends }: AccountSums): Prisma.Sql {
  const { keyAt, figureAt } = rowsOf(ends)
  return sql`(
    SELECT * FROM unnest(${keyAt(0)}::date[], ${figureAt(0)}::bigint[], ${figureAt(1)}::bigint[]) x (day, ended, renewed))`
}

/** The months of cohorts as a relation with the columns of `cohort_month_sums`. */
export function cohortRowsSql({ cohorts }: AccountSums): Prisma.Sql {
  const { keyAt, figureAt } = rowsOf(cohorts)
  return sql`(
    SELECT * FROM unnest(${keyAt(0)}::date[], ${keyAt(1)}::date[], ${figureAt(0)}::bigint[], ${figureAt(1)}::bigint[],
      ${figureAt(2)}::bigint[]) x (cohort, month, active, payers, net_fen))`
}

/** Adds these sums to the three tables. Inside the transaction that moves the watermarks. */
export async function storeSums(client: PoolClient, sums: AccountSums): Promise<void> {
  await execute(
    client,
    query(
      'add-income-sums',
      sql`
      INSERT INTO income_day_sums AS s (day, channel, new_fen, refunded_fen, earned_fen) SELECT * FROM ${incomeRowsSql(sums)} added
      ON CONFLICT (day, channel) DO UPDATE SET new_fen = s.new_fen + excluded.new_fen,
        refunded_fen = s.refunded_fen + excluded.refunded_fen, earned_fen = s.earned_fen + excluded.earned_fen`,
    ),
  )
  await execute(
    client,
    query(
      'add-access-ends',
      sql`
      INSERT INTO access_end_sums AS s (day, ended, renewed) SELECT * FROM ${endRowsSql(sums)} added
      ON CONFLICT (day) DO UPDATE SET ended = s.ended + excluded.ended, renewed = s.renewed + excluded.renewed`,
    ),
  )
  await execute(
    client,
    query(
      'add-cohort-months',
      sql`
      INSERT INTO cohort_month_sums AS s (cohort, month, active, payers, net_fen) SELECT * FROM ${cohortRowsSql(sums)} added
      ON CONFLICT (cohort, month) DO UPDATE SET active = s.active + excluded.active, payers = s.payers + excluded.payers,
        net_fen = s.net_fen + excluded.net_fen`,
    ),
  )
}
