import { type Pool, type PoolClient, Prisma, run } from '@meridian/db'

const { sql } = Prisma

/** A day's headline: the three sums are equal, or what is between them is explained by differences. */
export type ReconciledDay = {
  date: string
  state: 'open' | 'matched' | 'closed'
  orderFen: number
  ledgerFen: number
  billFen: number
  explained: boolean
  openDifferences: number
  differences: number
  adjustments: number
  matchedAt: Date | null
  closedAt: Date | null
  closedBy: string | null
}

/** Days with their counts; `which` is a condition on the day `d`. */
const daysWhere = (which: Prisma.Sql): Prisma.Sql => sql`
  SELECT d.date, d.state, d.order_fen::float8 AS "orderFen", d.ledger_fen::float8 AS "ledgerFen",
    d.bill_fen::float8 AS "billFen", d.matched_at AS "matchedAt", d.closed_at AS "closedAt", d.closed_by AS "closedBy",
    d.bill_fen - d.order_fen = c.bill_gap AND d.order_fen - d.ledger_fen = c.ledger_gap AS explained,
    c.open AS "openDifferences", c.differences, c.adjustments
  FROM reconciliation_days d, LATERAL (
    SELECT coalesce(sum(bill_gap_fen) FILTER (WHERE NOT adjustment), 0) AS bill_gap,
      coalesce(sum(ledger_gap_fen) FILTER (WHERE NOT adjustment), 0) AS ledger_gap,
      count(*) FILTER (WHERE state = 'open')::int AS open, count(*)::int AS differences,
      count(*) FILTER (WHERE adjustment)::int AS adjustments
    FROM reconciliation_differences WHERE date = d.date) c
  WHERE ${which}`

/** One day, or null when nobody has reconciled it yet. */
export async function findDay(db: Pool | PoolClient, date: string): Promise<ReconciledDay | null> {
  const [day] = await run<ReconciledDay>(db, 'find-reconciled-day', daysWhere(sql`d.date = ${date}::date`))
  return day ?? null
}

/** Days from the newest on; `before` is the date that the page before ended with. */
export const listDays = (
  pool: Pool,
  { before, limit }: { before: string | null; limit: number },
): Promise<ReconciledDay[]> =>
  run<ReconciledDay>(
    pool,
    'list-reconciled-days',
    sql`${daysWhere(sql`d.date < coalesce(${before}::date, 'infinity')`)} ORDER BY d.date DESC LIMIT ${limit}`,
  )
