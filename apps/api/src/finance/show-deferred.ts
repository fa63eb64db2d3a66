import { type DeferredDay, type DeferredIncome, type DeferredQuery, daysOfMonth } from '@meridian/contracts'
import { column, execute, type Pool, type PoolClient, Prisma, query, type RowOf } from '@meridian/db'
import { todayInChina } from '../dashboard/days.ts'
import { orderFactsSql } from '../dashboard/order-facts.ts'
import { withinLimit } from '../platform/sql/transaction.ts'
import { type AccountSums, incomeRowsSql } from './account-sums.ts'
import { readLive } from './touched-accounts.ts'

const { sql } = Prisma

type Channel = DeferredQuery['channel']
const ofChannelSql = (channel: Channel, of = sql`channel`): Prisma.Sql =>
  channel ? sql`${of} = ${channel}::payment_channel` : sql`true`

const sumColumns = {
  newFen: column.number,
  refundedFen: column.number,
  earnedFen: column.number,
}
const dayColumns = { ...sumColumns, day: column.text }
type DaySums = RowOf<typeof dayColumns>

/** All days with income that is not zero, past and ahead, in ascending order. */
const readDays = (client: PoolClient, live: AccountSums, channel: Channel): Promise<DaySums[]> =>
  execute(
    client,
    query(
      null,
      sql`
      SELECT day::text AS day, sum(new_fen)::float8 AS "newFen", sum(refunded_fen)::float8 AS "refundedFen",
        sum(earned_fen)::float8 AS "earnedFen"
      FROM (
        SELECT day, channel, new_fen, refunded_fen, earned_fen FROM income_day_sums
        UNION ALL SELECT * FROM ${incomeRowsSql(live)} live) sums
      WHERE ${ofChannelSql(channel)} GROUP BY day
      HAVING (sum(new_fen), sum(refunded_fen), sum(earned_fen)) <> (0, 0, 0) ORDER BY day`,
      dayColumns,
    ),
  )

const moneyColumns = { grossFen: column.number, refundFen: column.number }
type Money = RowOf<typeof moneyColumns>
const noMoney: Money = { grossFen: 0, refundFen: 0 }

async function readMoney(client: PoolClient, statement: Prisma.Sql): Promise<Money> {
  const [row] = await execute(client, query(null, statement, moneyColumns))
  return row ?? noMoney
}

/** Gross and refunds of all orders, from the sums that the overview and the months of finance read. */
async function readLedger(client: PoolClient, channel: Channel): Promise<Money> {
  const facts = await orderFactsSql(client, { from: '2000-01-01', to: '2999-12-31' })
  return readMoney(
    client,
    sql`
    SELECT coalesce(sum(fen) FILTER (WHERE fact = 'paid'), 0)::float8 AS "grossFen",
      coalesce(sum(fen) FILTER (WHERE fact = 'refunded'), 0)::float8 AS "refundFen"
    FROM ${facts} facts WHERE ${ofChannelSql(channel)}`,
  )
}

/** Gross and refunds recorded after this line of the timeline, which the sums of income do not hold yet. */
const readPending = (client: PoolClient, after: bigint, channel: Channel): Promise<Money> =>
  readMoney(
    client,
    sql`
    SELECT coalesce(sum(o.amount_fen) FILTER (WHERE e.kind = 'pay'), 0)::float8 AS "grossFen",
      coalesce(sum(r.amount_fen), 0)::float8 AS "refundFen"
    FROM order_events e JOIN orders o ON o.id = e.order_id
      LEFT JOIN refunds r ON e.kind = 'refund' AND r.order_id = e.order_id AND r.second_payment_id IS NULL
        AND r.out_refund_no = e.detail ->> 'out_refund_no'
    WHERE e.id > ${after} AND e.kind IN ('pay', 'refund') AND ${ofChannelSql(channel, sql`o.channel`)}`,
  )

const totalOf = (days: readonly DaySums[]) => {
  const sum = (figure: keyof typeof sumColumns) => days.reduce((total, day) => total + day[figure], 0)
  const [grossFen, refundFen, earnedFen] = [sum('newFen'), sum('refundedFen'), sum('earnedFen')]
  return { grossFen, refundFen, earnedFen, deferredFen: grossFen - refundFen - earnedFen }
}

/** The days from `from` to `to`; each opens with the closing balance of the day before. */
function chain(sums: readonly DaySums[], { from, to }: { from: string; to: string }): DeferredDay[] {
  const days: DeferredDay[] = []
  let openingFen = totalOf(sums.filter(({ day }) => day < from)).deferredFen
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10)
    const { newFen, refundedFen, earnedFen } = sums.find((one) => one.day === day) ?? {
      newFen: 0,
      refundedFen: 0,
      earnedFen: 0,
    }
    const closingFen = openingFen + newFen - refundedFen - earnedFen
    days.push({ day, openingFen, newFen, refundedFen, earnedFen, closingFen })
    openingFen = closingFen
  }
  return days
}

/** What is earned on later days, added up by month. */
function monthsAhead(sums: readonly DaySums[]): DeferredIncome['ahead'] {
  const months = new Map<string, number>()
  for (const { day, earnedFen } of sums) {
    const month = day.slice(0, 7)
    months.set(month, (months.get(month) ?? 0) + earnedFen)
  }
  return [...months].map(([month, fen]) => ({ month, fen }))
}

/** The answer before the sums were filled for the first time. */
const nothing = {
  reachedAt: null,
  days: [],
  ahead: [],
  withoutDaysFen: 0,
  ledger: { ...noMoney, pending: noMoney },
  total: { ...noMoney, earnedFen: 0, deferredFen: 0 },
  differenceFen: 0,
}

const least = (one: string, other: string) => (one < other ? one : other)

/** All days and their difference from all orders, read in one snapshot; null before the sums were filled for the first time. */
async function readBalance(client: PoolClient, channel: Channel, most: number | undefined) {
  const { live, reachedAt, behind } = await readLive(client, most)
  if (!reachedAt) return null
  const today = todayInChina(reachedAt)
  const sums = await readDays(client, live, channel)
  const ledger = await readLedger(client, channel)
  const pending = behind === null ? noMoney : await readPending(client, behind, channel)
  const total = totalOf(sums.filter(({ day }) => day <= today))
  const differenceFen =
    Math.abs(ledger.grossFen - total.grossFen - pending.grossFen) +
    Math.abs(ledger.refundFen - total.refundFen - pending.refundFen)
  return { reachedAt, today, sums, total, ledger: { ...ledger, pending }, differenceFen }
}

async function readDeferred(
  client: PoolClient,
  { month, channel }: DeferredQuery,
  most: number | undefined,
): Promise<DeferredIncome> {
  const shown = { month, channel: channel ?? null }
  const balance = await readBalance(client, channel, most)
  if (!balance) return { ...shown, ...nothing }
  const { today, sums, ...rest } = balance
  const { from, to } = daysOfMonth(month)
  return {
    ...shown,
    ...rest,
    days: chain(sums, { from, to: least(to, today) }),
    ahead: monthsAhead(sums.filter(({ day }) => day > today)),
    // Money of orders without days in the ledger: no day ever earns it.
    withoutDaysFen: totalOf(sums).deferredFen,
  }
}

/** Difference in fen between the sums of income and those of all orders. The invariant: 0. */
export async function findIncomeDifference(pool: Pool): Promise<number> {
  const balance = await withinLimit(pool, (client) => readBalance(client, undefined, undefined))
  return balance?.differenceFen ?? 0
}

/**
 * Deferred income of a month, day by day: what was paid and is not earned yet, beside what all orders add up to. As of
 * now, or of the moment up to which the ledgers were added up, where more was written since than is added while one waits.
 * @throws DomainError range_too_wide
 */
export const showDeferred = (pool: Pool, asked: DeferredQuery, most?: number): Promise<DeferredIncome> =>
  withinLimit(pool, (client) => readDeferred(client, asked, most))

/** Its days as a list, which is one page. */
export async function listDeferredDays(
  pool: Pool,
  asked: DeferredQuery,
): Promise<{ items: DeferredDay[]; nextCursor: null }> {
  const { days } = await showDeferred(pool, asked)
  return { items: days, nextCursor: null }
}
