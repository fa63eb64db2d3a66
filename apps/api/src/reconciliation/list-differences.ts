import { type Pool, Prisma, run } from '@meridian/db'
import { fromCursor, InstantKey, toPage } from '../paging.ts'
import type { SuggestedAction } from './record-difference.ts'

const { sql } = Prisma

/** A work item; its age counts from `foundAt`. */
export type Difference = {
  id: bigint
  date: string
  kind: 'ours_only' | 'theirs_only' | 'amount' | 'status' | 'refund' | 'fee'
  state: 'open' | 'resolved'
  outTradeNo: string | null
  transactionId: string | null
  outRefundNo: string | null
  ours: object | null
  theirs: object | null
  suggestedAction: SuggestedAction
  billGapFen: number
  ledgerGapFen: number
  adjustment: boolean
  ownerEmail: string | null
  resolution: string | null
  resolvedByEmail: string | null
  resolvedAt: Date | null
  foundAt: Date
}

export type DifferenceQuery = {
  date?: string | undefined
  state?: Difference['state'] | undefined
  kind?: Difference['kind'] | undefined
  limit: number
  cursor?: string | undefined
}

/** Differences, oldest first: what waits longest stands on top. */
export async function listDifferences(pool: Pool, query: DifferenceQuery) {
  const { date, state, kind, limit, cursor } = query
  const [foundAt, id] = cursor ? fromCursor(cursor, InstantKey).position : ['-infinity', '0']
  const wanted = Prisma.join(
    [
      sql`(d.found_at, d.id) > (${foundAt}::timestamptz, ${id}::bigint)`,
      ...(date ? [sql`d.date = ${date}::date`] : []),
      ...(state ? [sql`d.state = ${state}::difference_state`] : []),
      ...(kind ? [sql`d.kind = ${kind}::difference_kind`] : []),
    ],
    ' AND ',
  )
  const rows = await run<Difference & { sortKey: string }>(
    pool,
    null,
    sql`
      SELECT d.id, d.date, d.kind, d.state, d.out_trade_no AS "outTradeNo", d.transaction_id AS "transactionId",
        d.out_refund_no AS "outRefundNo", d.ours, d.theirs, d.suggested_action AS "suggestedAction",
        d.bill_gap_fen::float8 AS "billGapFen", d.ledger_gap_fen::float8 AS "ledgerGapFen", d.adjustment,
        w.email AS "ownerEmail", d.resolution, r.email AS "resolvedByEmail", d.resolved_at AS "resolvedAt",
        d.found_at AS "foundAt", d.found_at::text AS "sortKey"
      FROM reconciliation_differences d LEFT JOIN operators w ON w.id = d.owner_id LEFT JOIN operators r ON r.id = d.resolved_by
      WHERE ${wanted} ORDER BY d.found_at, d.id LIMIT ${limit + 1}`,
  )
  return toPage(rows, limit, (row) => [row.sortKey, String(row.id)])
}
