import { type DayDetail, KeptBill, ReconciledDay, type TwoWayPage } from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { businessTimeSql } from '../jobs/queue-time.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { type KeysetSort, keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'

const reconciledDayColumns = columnsOf(ReconciledDay)

const { sql } = Prisma

/** Days with their counts; `which` is a condition on the day `d`. */
const daysWhere = (which: Prisma.Sql): Prisma.Sql => sql`
  SELECT d.date, d.state, d.order_fen::float8 AS "orderFen", d.ledger_fen::float8 AS "ledgerFen",
    d.bill_fen::float8 AS "billFen", d.matched_at AS "matchedAt", d.closed_at AS "closedAt", 
    (SELECT email FROM operators WHERE id = d.closed_by) AS "closedBy",
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
  const [day] = await execute(
    db,
    query('find-reconciled-day', daysWhere(sql`d.date = ${date}::date`), reconciledDayColumns),
  )
  return day ?? null
}

const newestFirst: KeysetSort = {
  column: sql`d.date`,
  type: sql`date`,
  Key: z.iso.date(),
  id: sql`d.date`,
  idType: sql`date`,
  Id: z.iso.date(),
  descending: true,
}

/** Days from the newest on. */
export async function listDays(
  pool: Pool,
  { cursor: text, limit }: { cursor?: string | undefined; limit: number },
): Promise<TwoWayPage<ReconciledDay>> {
  const { cursor, beyond, orderBy } = keysetOf(newestFirst, text)
  const statement = sql`${daysWhere(beyond)} ORDER BY ${orderBy} LIMIT ${limit + 1}`
  const rows = await execute(pool, query(null, statement, reconciledDayColumns))
  return toTwoWayPage(rows, { limit, cursor }, ({ date }) => [date, date])
}

/**
 * One day with the bills that were kept of it.
 * @throws DomainError not_found
 */
export async function showDay(pool: Pool, date: string): Promise<DayDetail> {
  const [day, bills, [job]] = await Promise.all([
    findDay(pool, date),
    execute(
      pool,
      query(
        'list-kept-bills',
        sql`SELECT kind, sha1, row_count AS rows, fetched_at AS "fetchedAt" FROM bills
        WHERE bill_date = ${date}::date ORDER BY fetched_at, id`,
        columnsOf(KeptBill),
      ),
    ),
    execute(
      pool,
      query(
        'find-next-reconciliation',
        sql`SELECT ${businessTimeSql(sql`run_at`)} AS "runAt" FROM graphile_worker.jobs WHERE key = ${`reconcile:${date}`}`,
        { runAt: column.instant },
      ),
    ),
  ])
  if (!day) throw new DomainError('not_found')
  return { ...day, bills, nextRunAt: job?.runAt ?? null }
}
