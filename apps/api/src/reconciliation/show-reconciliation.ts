import {
  type DayDetail,
  Difference,
  type DifferenceListQuery,
  type DifferenceReference,
  KeptBill,
  ReconciledDay,
  type RowCount,
  type TwoWayPage,
} from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { jobKeySql } from '../jobs/job-table.ts'
import { businessTimeSql } from '../jobs/read-queue.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { byAge, dateColumn, instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { countRows, readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql } from '../platform/sql/conditions.ts'
import { payerOfOrderSql, payerOfRefundSql } from '../platform/sql/payer-of.ts'
import { type NameView, nicknameOfSql } from '../platform/sql/show-nickname.ts'
import { differenceChannelSql } from './find-virtual-differences.ts'
import { splitDay } from './split-day.ts'

const { sql } = Prisma

const reconciledDayColumns = columnsOf(ReconciledDay)

const dayColumns = sql`
  d.date, d.state, d.order_fen::float8 AS "orderFen", d.ledger_fen::float8 AS "ledgerFen",
    d.bill_fen::float8 AS "billFen", d.matched_at AS "matchedAt", d.closed_at AS "closedAt", 
    (SELECT email FROM operators WHERE id = d.closed_by) AS "closedBy",
    d.bill_fen - d.order_fen = c.bill_gap AND d.order_fen - d.ledger_fen = c.ledger_gap AS explained,
    c.open AS "openDifferences", c.differences, c.adjustments`

/** A day `d` with its counts `c`. */
const daysFrom = sql`
  reconciliation_days d, LATERAL (
    SELECT coalesce(sum(bill_gap_fen) FILTER (WHERE NOT adjustment), 0) AS bill_gap,
      coalesce(sum(ledger_gap_fen) FILTER (WHERE NOT adjustment), 0) AS ledger_gap,
      count(*) FILTER (WHERE state = 'open')::int AS open, count(*)::int AS differences,
      count(*) FILTER (WHERE adjustment)::int AS adjustments
    FROM reconciliation_differences WHERE date = d.date) c`

/** One day, or null when nobody has reconciled it yet. */
export async function findDay(db: Pool | PoolClient, date: string): Promise<ReconciledDay | null> {
  const [day] = await execute(
    db,
    query(
      'find-reconciled-day',
      sql`SELECT ${dayColumns} FROM ${daysFrom} WHERE d.date = ${date}::date`,
      reconciledDayColumns,
    ),
  )
  return day ?? null
}

const byDate = dateColumn(sql`d.date`)

/** Days from the newest on. */
export const listDays = (
  pool: Pool,
  asked: { cursor?: string | undefined; limit: number },
): Promise<TwoWayPage<ReconciledDay>> =>
  readPage(
    pool,
    {
      sort: { key: byDate, id: byDate, descending: true },
      asked,
      columns: reconciledDayColumns,
      isShort: true,
    },
    ({ position, page }) => sql`SELECT ${dayColumns}, ${position} FROM ${daysFrom} WHERE ${page}`,
  )

/**
 * One day with what each channel contributed, and the bills that were kept of it.
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
        sql`
        SELECT ${businessTimeSql(sql`run_at`)} AS "runAt" FROM graphile_worker.jobs
        WHERE key IN (${jobKeySql('reconcile_day', sql`${date}::text`)}, ${jobKeySql('reconcile_virtual_day', sql`${date}::text`)})
        ORDER BY run_at LIMIT 1`,
        { runAt: column.instant },
      ),
    ),
  ])
  if (!day) throw new DomainError('not_found')
  return { ...day, channels: await splitDay(pool, day), bills, nextRunAt: job?.runAt ?? null }
}

const { oldest } = byAge({ key: instantColumn(sql`d.found_at`), id: serialColumn(sql`d.id`) })

const conditions = ({ date, state, kind, channel }: DifferenceListQuery): Prisma.Sql =>
  allOfSql(
    date && sql`d.date = ${date}::date`,
    state && sql`d.state = ${state}::difference_state`,
    kind && sql`d.kind = ${kind}::difference_kind`,
    channel && sql`${differenceChannelSql} = ${channel}::payment_channel`,
  )

/** How many differences the filters leave: exact up to 10,000. */
export const countDifferences = (pool: Pool, filter: DifferenceListQuery): Promise<RowCount> =>
  countRows(pool, sql`reconciliation_differences d WHERE ${conditions(filter)}`)

const payerSql = sql`coalesce(${payerOfOrderSql(sql`d.out_trade_no`)}, ${payerOfRefundSql(sql`d.out_refund_no`)})`

const differenceColumns = (names: NameView): Prisma.Sql => sql`
  d.id::text AS id, ${payerSql} AS "userId", ${nicknameOfSql(payerSql, names)} AS customer,
    d.date, d.kind, d.state, ${differenceChannelSql} AS channel, d.out_trade_no AS "outTradeNo",
    d.transaction_id AS "transactionId", d.out_refund_no AS "outRefundNo", d.ours, d.theirs,
    d.suggested_action AS "suggestedAction", d.bill_gap_fen::float8 AS "billGapFen",
    d.ledger_gap_fen::float8 AS "ledgerGapFen", d.adjustment, w.email AS "ownerEmail", d.resolution,
    r.email AS "resolvedByEmail", d.resolved_at AS "resolvedAt", d.found_at AS "foundAt"`

const differencesFrom = sql`
  reconciliation_differences d LEFT JOIN operators w ON w.id = d.owner_id LEFT JOIN operators r ON r.id = d.resolved_by`

/**
 * One difference.
 * @throws DomainError not_found
 */
export async function showDifference(
  pool: Pool,
  { id }: DifferenceReference,
  names: NameView,
): Promise<Difference> {
  const [difference] = await execute(
    pool,
    query(
      'find-difference',
      sql`SELECT ${differenceColumns(names)} FROM ${differencesFrom} WHERE d.id = ${id}::bigint`,
      columnsOf(Difference),
    ),
  )
  if (!difference) throw new DomainError('not_found')
  return difference
}

/** Differences, oldest first: what waits longest stands on top. */
export const listDifferences = (
  pool: Pool,
  asked: DifferenceListQuery,
  names: NameView,
): Promise<TwoWayPage<Difference>> =>
  readPage(
    pool,
    { sort: oldest, asked, columns: columnsOf(Difference), isShort: true },
    ({ position, page }) => sql`
      SELECT ${differenceColumns(names)}, ${position} FROM ${differencesFrom}
      WHERE ${conditions(asked)} AND ${page}`,
  )
