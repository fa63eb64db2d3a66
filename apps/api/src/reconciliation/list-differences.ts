import { Difference, type DifferenceListQuery, type TwoWayPage } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { byAge, instantColumn, serialColumn } from '../platform/paging/keyset.ts'
import { readPage } from '../platform/paging/read-page.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { allOfSql } from '../platform/sql/conditions.ts'

const { sql } = Prisma

const { oldest } = byAge({ key: instantColumn(sql`d.found_at`), id: serialColumn(sql`d.id`) })

const conditions = ({ date, state, kind }: DifferenceListQuery): Prisma.Sql =>
  allOfSql(
    date && sql`d.date = ${date}::date`,
    state && sql`d.state = ${state}::difference_state`,
    kind && sql`d.kind = ${kind}::difference_kind`,
  )

/** Differences, oldest first: what waits longest stands on top. */
export const listDifferences = (pool: Pool, asked: DifferenceListQuery): Promise<TwoWayPage<Difference>> =>
  readPage(
    pool,
    { sort: oldest, asked, columns: columnsOf(Difference), isShort: true },
    ({ position, page }) => sql`
      SELECT d.id::text AS id, d.date, d.kind, d.state, d.out_trade_no AS "outTradeNo", d.transaction_id AS "transactionId",
        d.out_refund_no AS "outRefundNo", d.ours, d.theirs, d.suggested_action AS "suggestedAction",
        d.bill_gap_fen::float8 AS "billGapFen", d.ledger_gap_fen::float8 AS "ledgerGapFen", d.adjustment,
        w.email AS "ownerEmail", d.resolution, r.email AS "resolvedByEmail", d.resolved_at AS "resolvedAt",
        d.found_at AS "foundAt", ${position}
      FROM reconciliation_differences d LEFT JOIN operators w ON w.id = d.owner_id LEFT JOIN operators r ON r.id = d.resolved_by
      WHERE ${conditions(asked)} AND ${page}`,
  )
