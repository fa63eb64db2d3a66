import { ChannelSums, type ReconciledDay } from '@meridian/contracts'
import { type Pool, Prisma } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { columnsOf } from '../platform/sql/columns-of.ts'
import { readLimited } from '../platform/sql/transaction.ts'
import { fallsOnSql } from '../platform/time/business-time.ts'
import { confirmedFenSql } from './find-virtual-differences.ts'
import { tradeBillSql } from './match-bill.ts'

const { sql } = Prisma

/** What was paid on a day, by channel, as it is now: the orders of one day, and the rows of its trade bill. */
const partsSql = (date: string): Prisma.Sql => sql`
  SELECT channel, sum(order_fen)::float8 AS "orderFen", sum(ledger_fen)::float8 AS "ledgerFen",
    sum(bill_fen)::float8 AS "billFen"
  FROM (
    SELECT o.channel, o.amount_fen AS order_fen, CASE WHEN EXISTS (
        SELECT 1 FROM grants g WHERE g.order_id = o.id AND g.kind = 'purchase') THEN o.amount_fen ELSE 0 END AS ledger_fen,
      CASE o.channel WHEN 'virtual' THEN ${confirmedFenSql({ date })} ELSE 0 END AS bill_fen
    FROM orders o LEFT JOIN order_attempts t ON t.number = o.paid_attempt_no
    WHERE ${fallsOnSql(sql`o.paid_at`, date)} AND NOT o.imported
    UNION ALL
    SELECT 'jsapi', 0, 0, amount_fen FROM bill_rows WHERE bill_id = (${tradeBillSql(date)}) AND kind = 'payment') parts
  GROUP BY channel ORDER BY channel`

const sumOf = (parts: readonly ChannelSums[], key: 'orderFen' | 'ledgerFen' | 'billFen') =>
  parts.reduce((sum, part) => sum + part[key], 0)

/** The page of a day is shown without its parts where they cannot be added up within the console's two seconds. */
function noneWhereTooMany(error: unknown): ChannelSums[] {
  if (error instanceof DomainError && error.code === 'range_too_wide') return []
  throw error
}

/**
 * What each channel contributed to the sums of a day. None where one channel alone did, nor where the parts are not those
 * sums: what came after the day was matched is in the orders, and not in the figures that it was closed with.
 */
export async function splitDay(pool: Pool, day: ReconciledDay): Promise<ChannelSums[]> {
  const parts = await readLimited(pool, partsSql(day.date), columnsOf(ChannelSums)).catch(noneWhereTooMany)
  const addsUp = (['orderFen', 'ledgerFen', 'billFen'] as const).every(
    (key) => sumOf(parts, key) === day[key],
  )
  return parts.length > 1 && addsUp ? parts : []
}
