import { Difference, type DifferenceListQuery } from '@meridian/contracts'
import { execute, type Pool, Prisma, query } from '@meridian/db'
import { z } from 'zod'
import { type KeysetSort, keysetOf, toTwoWayPage } from '../platform/paging/keyset.ts'
import { InstantKey } from '../platform/paging/paging.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'

const { sql } = Prisma

const listedColumns = columnsOf(Difference.extend({ sortKey: z.string() }))

const oldestFirst: KeysetSort = {
  column: sql`d.found_at`,
  type: sql`timestamptz`,
  Key: InstantKey,
  id: sql`d.id`,
  descending: false,
}

/** Differences, oldest first: what waits longest stands on top. */
export async function listDifferences(
  pool: Pool,
  { date, state, kind, limit, cursor: text }: DifferenceListQuery,
) {
  const { cursor, beyond, orderBy } = keysetOf(oldestFirst, text)
  const wanted = Prisma.join(
    [
      beyond,
      ...(date ? [sql`d.date = ${date}::date`] : []),
      ...(state ? [sql`d.state = ${state}::difference_state`] : []),
      ...(kind ? [sql`d.kind = ${kind}::difference_kind`] : []),
    ],
    ' AND ',
  )
  const rows = await execute(
    pool,
    query(
      null,
      sql`
      SELECT d.id::text AS id, d.date, d.kind, d.state, d.out_trade_no AS "outTradeNo", d.transaction_id AS "transactionId",
        d.out_refund_no AS "outRefundNo", d.ours, d.theirs, d.suggested_action AS "suggestedAction",
        d.bill_gap_fen::float8 AS "billGapFen", d.ledger_gap_fen::float8 AS "ledgerGapFen", d.adjustment,
        w.email AS "ownerEmail", d.resolution, r.email AS "resolvedByEmail", d.resolved_at AS "resolvedAt",
        d.found_at AS "foundAt", d.found_at::text AS "sortKey"
      FROM reconciliation_differences d LEFT JOIN operators w ON w.id = d.owner_id LEFT JOIN operators r ON r.id = d.resolved_by
      WHERE ${wanted} ORDER BY ${orderBy} LIMIT ${limit + 1}`,
      listedColumns,
    ),
  )
  const page = toTwoWayPage(rows, { limit, cursor }, (row) => [row.sortKey, row.id])
  return { ...page, items: page.items.map(({ sortKey: _, ...difference }) => difference) }
}
