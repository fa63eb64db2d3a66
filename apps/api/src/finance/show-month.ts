import {
  addFinance,
  type ChannelFinance,
  daysOfMonth,
  type FinanceDay,
  type FinanceDayState,
  type FinanceMonth,
  type FinanceSums,
  type Month,
  type MonthReference,
  monthAfter,
} from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { todayInChina } from '../dashboard/days.ts'
import { withinLimit } from '../platform/sql/transaction.ts'
import { findLateEntries, monthsLookedAt, readClosings, shownClosing } from './late-entries.ts'
import { byChannel, type ChannelDay, type Days, readDays } from './month-sums.ts'

const { sql } = Prisma

const stateColumns = {
  day: column.text,
  state: column.text,
  explained: column.boolean,
  openDifferences: column.integer,
  hasBill: column.boolean,
}
type DayRow = RowOf<typeof stateColumns>

/** Every day of these with how far its reconciliation is; `none` where it was never compared. */
const readStates = (client: PoolClient, { from, to }: Days): Promise<DayRow[]> =>
  execute(
    client,
    query(
      'finance-day-states',
      sql`
      SELECT s.day::text AS day, coalesce(d.state::text, 'none') AS state, coalesce(c.open, 0) AS "openDifferences",
        coalesce(d.bill_fen - d.order_fen = c.bill_gap AND d.order_fen - d.ledger_fen = c.ledger_gap, true) AS explained,
        EXISTS (SELECT FROM bills b WHERE b.bill_date = s.day AND b.kind = 'trade' AND b.row_count IS NOT NULL) AS "hasBill"
      FROM (SELECT ${from}::date + n AS day FROM generate_series(0, ${to}::date - ${from}::date) n) s
        LEFT JOIN reconciliation_days d ON d.date = s.day
        LEFT JOIN LATERAL (
          SELECT count(*) FILTER (WHERE state = 'open')::int AS open,
            coalesce(sum(bill_gap_fen) FILTER (WHERE NOT adjustment), 0) AS bill_gap,
            coalesce(sum(ledger_gap_fen) FILTER (WHERE NOT adjustment), 0) AS ledger_gap
          FROM reconciliation_differences x WHERE x.date = d.date) c ON true
      ORDER BY s.day`,
      stateColumns,
    ),
  )

function stateOf({ day, state, explained, openDifferences }: DayRow, today: string): FinanceDayState {
  if (state === 'closed') return 'closed'
  if (day >= today) return 'ahead'
  if (state !== 'matched') return 'waiting'
  return openDifferences > 0 || !explained ? 'differences' : 'reconciled'
}

/** The days of the month with their sums. */
function daysOf(rows: readonly ChannelDay[], states: readonly DayRow[], today: string): FinanceDay[] {
  return states.map((row) => ({
    day: row.day,
    state: stateOf(row, today),
    openDifferences: row.openDifferences,
    hasBill: row.hasBill,
    ...addFinance(rows.filter(({ day }) => day === row.day)),
  }))
}

/** What the days add up to beyond what was closed; null where that is nothing. */
function changeSince(closed: readonly ChannelFinance[], now: readonly ChannelFinance[]): FinanceSums | null {
  const [before, after] = [addFinance(closed), addFinance(now)]
  const change = {
    orders: after.orders - before.orders,
    grossFen: after.grossFen - before.grossFen,
    refunds: after.refunds - before.refunds,
    refundFen: after.refundFen - before.refundFen,
    feeFen: after.feeFen - before.feeFen,
  }
  return Object.values(change).some((part) => part !== 0) ? change : null
}

async function readMonth(client: PoolClient, month: Month, readAt: Date): Promise<FinanceMonth> {
  const [days, before] = [daysOfMonth(month), daysOfMonth(monthAfter(month, -1))]
  const closings = await readClosings(client, { from: monthAfter(month, -monthsLookedAt), to: month })
  const earlier = closings.filter((one) => one.month < month)
  const closing = closings.find((one) => one.month === month)
  const from = daysOfMonth(earlier[0]?.month ?? monthAfter(month, -1)).from
  const rows = await readDays(client, { from, to: days.to, feesFrom: before.from })
  const states = await readStates(client, days)
  const channels = byChannel(rows, days)
  return {
    month,
    channels,
    before: byChannel(rows, before),
    days: daysOf(rows, states, todayInChina(readAt)),
    closing: closing ? shownClosing(closing) : null,
    changed: closing ? changeSince(closing.channels, channels) : null,
    late: await findLateEntries(client, month, { closings: earlier, rows }),
    readAt,
  }
}

/**
 * A month of finance: what came in, went back and was kept, by channel and by day, and how far each day is.
 * @throws DomainError range_too_wide
 */
export const showMonth = (pool: Pool, { month }: MonthReference, readAt: Date): Promise<FinanceMonth> =>
  withinLimit(pool, (client) => readMonth(client, month, readAt))
