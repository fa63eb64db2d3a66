import { createHash } from 'node:crypto'
import {
  addFinance,
  type ChannelFinance,
  daysOfMonth,
  type Month,
  type MonthClosingAnswer,
  PaymentChannel,
} from '@meridian/contracts'
import {
  column,
  execute,
  oneOf,
  type Pool,
  type PoolClient,
  Prisma,
  part,
  query,
  type RowOf,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import { type Actor, appendAuditPart } from '../audit/write-audit.ts'
import { withinSql } from '../dashboard/days.ts'
import { findSettledLine } from '../platform/database/watermark.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { openAllowance } from '../platform/limits/bounded-work.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { utcTextSql } from '../platform/time/utc-text.ts'
import { type Days, feesSql } from './month-sums.ts'

const { sql } = Prisma

const partColumns = {
  day: column.text,
  kind: oneOf(['payment', 'refund', 'fee']),
  channel: oneOf(PaymentChannel.options),
  count: column.integer,
  fen: column.number,
  hash: column.text,
}
/** What a day has of one kind in one channel: how many, what they add up to, and the SHA-256 over them. */
type DayPart = RowOf<typeof partColumns>

const hashSql = (line: Prisma.Sql, id: Prisma.Sql): Prisma.Sql =>
  sql`encode(sha256(convert_to(string_agg(${line}, E'\n' ORDER BY ${id}), 'UTF8')), 'hex')`

/** Lines of the timeline behind the last that is held: what they tell of came after the closing. */
const isHeldSql = (lineId: bigint, told: Prisma.Sql): Prisma.Sql =>
  sql`NOT EXISTS (SELECT FROM order_events e WHERE e.id > ${lineId} AND ${told})`

/** The payments and refunds of one day: their rows are read once, and nothing of them is held. */
const readDay = (client: PoolClient, day: string, lineId: bigint): Promise<DayPart[]> => {
  const within = (instant: Prisma.Sql) => withinSql(instant, { from: day, to: day })
  const payment = sql`concat_ws('|', o.out_trade_no, o.amount_fen, ${utcTextSql(sql`o.paid_at`)})`
  const refund = sql`concat_ws('|', r.out_refund_no, r.amount_fen, ${utcTextSql(sql`r.succeeded_at`)})`
  return execute(
    client,
    query(
      'close-month-day',
      sql`
      SELECT ${day}::text AS day, 'payment' AS kind, o.channel, count(*)::int AS count, sum(o.amount_fen)::float8 AS fen,
        ${hashSql(payment, sql`o.id`)} AS hash
      FROM orders o
      WHERE ${within(sql`o.paid_at`)} AND NOT o.imported AND ${isHeldSql(lineId, sql`e.order_id = o.id AND e.kind = 'pay'`)}
      GROUP BY o.channel
      UNION ALL
      SELECT ${day}::text, 'refund', o.channel, count(*)::int, sum(r.amount_fen)::float8, ${hashSql(refund, sql`r.id`)}
      FROM refunds r JOIN orders o ON o.id = r.order_id
      WHERE r.second_payment_id IS NULL AND ${within(sql`r.succeeded_at`)}
        AND ${isHeldSql(lineId, sql`e.order_id = r.order_id AND e.kind = 'refund' AND e.detail ->> 'out_refund_no' = r.out_refund_no`)}
      GROUP BY o.channel ORDER BY 2, 3`,
      partColumns,
    ),
  )
}

const readFees = (client: PoolClient, days: Days): Promise<DayPart[]> =>
  execute(
    client,
    query(
      'close-month-fees',
      sql`
      SELECT day::text AS day, 'fee' AS kind, channel, 1 AS count, fee_fen::float8 AS fen, '' AS hash
      FROM (${feesSql(days)}) fees ORDER BY 1, 3`,
      partColumns,
    ),
  )

const everyDay = async (client: PoolClient, { from, to }: Days): Promise<string[]> => {
  const rows = await execute(
    client,
    query(
      null,
      sql`SELECT (${from}::date + n)::text AS day FROM generate_series(0, ${to}::date - ${from}::date) n ORDER BY n`,
      { day: column.text },
    ),
  )
  return rows.map(({ day }) => day)
}

/** Every part of the month in a fixed order. Of one moment: inside a transaction with one snapshot. */
async function readParts(client: PoolClient, days: Days, lineId: bigint): Promise<DayPart[]> {
  await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const parts: DayPart[] = []
  for (const day of await everyDay(client, days)) parts.push(...(await readDay(client, day, lineId)))
  return [...parts, ...(await readFees(client, days))]
}

const ofKind = (parts: readonly DayPart[], kind: DayPart['kind']) => {
  const some = parts.filter((one) => one.kind === kind)
  return {
    count: some.reduce((sum, one) => sum + one.count, 0),
    fen: some.reduce((sum, one) => sum + one.fen, 0),
  }
}

function sumChannel(parts: readonly DayPart[], channel: PaymentChannel): ChannelFinance {
  const own = parts.filter((one) => one.channel === channel)
  const [paid, back, fees] = [ofKind(own, 'payment'), ofKind(own, 'refund'), ofKind(own, 'fee')]
  return {
    channel,
    orders: paid.count,
    grossFen: paid.fen,
    refunds: back.count,
    refundFen: back.fen,
    feeFen: fees.fen,
  }
}

/** The SHA-256 over the lines of all parts: each names its day, kind and channel, and the hash over its rows. */
const checksumOf = (parts: readonly DayPart[]): string =>
  createHash('sha256')
    .update(
      parts
        .map(({ day, kind, channel, count, fen, hash }) => [day, kind, channel, count, fen, hash].join('|'))
        .join('\n'),
    )
    .digest('hex')

/** The days of the month that are not closed; those that nobody compared too. */
const findOpenDays = async (pool: Pool, { from, to }: Days): Promise<string[]> => {
  const rows = await execute(
    pool,
    query(
      'open-days-of-month',
      sql`
      SELECT s.day::text AS day FROM (SELECT ${from}::date + n AS day FROM generate_series(0, ${to}::date - ${from}::date) n) s
      WHERE NOT EXISTS (SELECT FROM reconciliation_days d WHERE d.date = s.day AND d.state = 'closed') ORDER BY 1`,
      { day: column.text },
    ),
  )
  return rows.map(({ day }) => day)
}

/** A process reads one month at a time: it takes a connection for as long as thirty days of payments take to read. */
const monthsRead = openAllowance({ atOnce: 1, waiting: 2 })

type Closing = { month: Month; lineId: bigint; parts: readonly DayPart[] }

/** Answers whether the month was still open. */
async function keepClosing(pool: Pool, closing: Closing, { operatorId, from }: Actor): Promise<boolean> {
  const { month, lineId, parts } = closing
  const channels = PaymentChannel.options.map((channel) => sumChannel(parts, channel))
  const rows = ofKind(parts, 'payment').count + ofKind(parts, 'refund').count
  const checksum = checksumOf(parts)
  const after = { ...addFinance(channels), rows, checksum }
  const kept = await execute(
    pool,
    statement({
      name: 'close-month',
      parts: [
        part(
          'closed',
          [],
          sql`
          INSERT INTO month_closings (month, closed_by, line_id, rows, checksum, sums)
          VALUES (${daysOfMonth(month).from}::date, ${operatorId}::uuid, ${lineId}, ${rows}, ${checksum}, ${JSON.stringify(channels)}::jsonb)
          ON CONFLICT (month) DO NOTHING RETURNING id`,
        ),
        appendAuditPart(
          rowsOf('closed'),
          { operatorId, action: 'finance.close_month', subject: { type: 'month', id: month }, after },
          from,
        ),
      ],
      select: reading(['closed'], sql`SELECT id FROM closed`),
      rows: { id: column.bigint },
    }),
  )
  return kept.length > 0
}

/**
 * Closes a month every day of which is closed, for good: keeps what it adds up to and a checksum over its payments and
 * refunds. What is learned of later is booked in the month in which it is learned of.
 * @throws DomainError service_unavailable while somebody has been writing to the timeline for too long
 */
export async function closeMonth(
  pool: Pool,
  { month }: { month: Month },
  actor: Actor,
): Promise<MonthClosingAnswer> {
  const days = daysOfMonth(month)
  const openDays = await findOpenDays(pool, days)
  if (openDays.length > 0) return { verdict: 'open_days', openDays }
  // Before the snapshot: every line up to this one is in it, and those behind are left out of the sums.
  const lineId = await findSettledLine(pool, 'order_events')
  if (lineId === null) throw new DomainError('service_unavailable')
  const parts = await monthsRead.run(() => inTransaction(pool, (client) => readParts(client, days, lineId)))
  const isClosed = await keepClosing(pool, { month, lineId, parts }, actor)
  return { verdict: isClosed ? 'closed' : 'already_closed', openDays: [] }
}
