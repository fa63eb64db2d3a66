import { PaymentChannel } from '@meridian/contracts'
import {
  column,
  execute,
  oneOf,
  type Part,
  type Pool,
  Prisma,
  query,
  type RowOf,
  reading,
  statement,
} from '@meridian/db'
import { scheduleJobPart } from '../jobs/due-jobs.ts'
import { jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { isUnpaidSql } from './read-orders.ts'

/** When an unpaid order is asked about after its prepay, in seconds: the platform's advice. */
const sweepSeconds = [5, 30, 60, 180, 300, 600, 1800] as const

/** One job per order: asking again replaces the job that was waiting. Both read the order's columns. */
export const sweepKeySql = jobKeySql('sweep_order', Prisma.sql`out_trade_no`)
export const sweepPayloadSql = (attempt: number) =>
  jobPayloadSql('sweep_order', { outTradeNo: Prisma.sql`out_trade_no`, attempt })

/**
 * The first question, planned when the order is opened: so long after its prepay where that takes no longer than
 * `quickPrepayMs`. A purchase writes it once then, and again only where the prepay took longer.
 */
export const quickPrepayMs = 500
export const sweepFromOpening = {
  job: 'sweep_order',
  payload: jobPayloadSql('sweep_order', {
    outTradeNo: Prisma.sql`out_trade_no`,
    attempt: 0,
    fromOpening: true,
  }),
  runAt: Prisma.sql`business_now() + ${sweepSeconds[0] * 1000 + quickPrepayMs}::int * interval '1 ms'`,
  key: sweepKeySql,
} as const

/** The same after a prepay or a signature that came later, or again. */
export const sweepSoon = {
  job: 'sweep_order',
  payload: sweepPayloadSql(0),
  runAt: Prisma.sql`business_now() + ${sweepSeconds[0]}::int * interval '1 second'`,
  key: sweepKeySql,
} as const

/** When to ask after this many attempts: seconds after the prepay, or null for "when the order expires". */
const sweepAfter = (attempt: number): number | null => sweepSeconds[attempt] ?? null

/**
 * Virtual payment has no close call: what we closed or another attempt paid may be paid still, so that its open attempts
 * are asked about for 72 h more, in minutes after that (virtual payment §5, assumption in §9).
 */
const watchMinutes = [1, 5, 15, 30, 60, 180, 360, 720, 1440, 2880, 4320] as const

const sweepableOrderColumns = {
  outTradeNo: column.text,
  channel: oneOf(PaymentChannel.options),
  overdue: column.boolean,
  superseded: column.boolean,
  /** Nobody can pay it yet: no prepay was obtained, nothing was signed. */
  unprepared: column.boolean,
  /** Paid or closed, and asked about for its open attempts alone. */
  watched: column.boolean,
}
type SweepableOrder = RowOf<typeof sweepableOrderColumns>

/** Attempts of the order that nobody knows the end of, as a condition on the table `orders` is called here. */
const hasOpenAttemptSql = (orders: 'orders' | 'moved'): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM order_attempts a WHERE a.order_id = ${Prisma.raw(orders)}.id AND a.state = 'open'
    AND a.number IS DISTINCT FROM ${Prisma.raw(orders)}.paid_attempt_no)`

/**
 * An order that is still to be asked about: unpaid, and no operator is looking at it; or with attempts that may be paid
 * still. A paid one is watched while it is parked too: what is found then is a second payment, which moves nothing.
 */
export async function findSweepableOrder(pool: Pool, outTradeNo: string): Promise<SweepableOrder | null> {
  const rows = await execute(
    pool,
    query(
      'find-sweepable-order',
      Prisma.sql`
      SELECT out_trade_no AS "outTradeNo", channel, NOT ${isUnpaidSql()} AS watched, expires_at <= business_now() AS overdue,
        prepay_expires_at IS NULL AS unprepared, EXISTS (
          SELECT FROM orders newer WHERE newer.user_id = orders.user_id AND newer.id > orders.id
            AND newer.created_at > orders.created_at - interval '1 minute') AS superseded
      FROM orders
      WHERE out_trade_no = ${outTradeNo} AND (NOT parked OR paid_at IS NOT NULL)
        AND (${isUnpaidSql()} OR (channel = 'virtual' AND ${hasOpenAttemptSql('orders')}))`,
      sweepableOrderColumns,
    ),
  )
  return rows[0] ?? null
}

const askedColumns = { outTradeNo: column.text, channel: oneOf(PaymentChannel.options) }
/** An order that somebody asks the platform about, and by which channel. */
export type AskedOrder = RowOf<typeof askedColumns>

/** Every unpaid order that no operator is looking at, oldest first. */
export const listUnpaidOrders = (pool: Pool): Promise<AskedOrder[]> =>
  execute(
    pool,
    query(
      'list-unpaid-orders',
      Prisma.sql`
      SELECT out_trade_no AS "outTradeNo", channel FROM orders
      WHERE ${isUnpaidSql()} AND NOT parked ORDER BY created_at, id`,
      askedColumns,
    ),
  )

/** How often the platform may be asked in a second, whoever asks. */
export const askedPerSecond = 50
/** No more are asked about than the platform may be asked within two minutes. */
const mostSweptNow = 120 * askedPerSecond

/** Asks about every unpaid order from now on, the newest first, whatever was asked before. Without a worker nothing comes of it. */
export async function sweepUnpaidNow(pool: Pool): Promise<void> {
  const unpaid = Prisma.sql`(
    SELECT out_trade_no, row_number() OVER (ORDER BY created_at DESC, id DESC) AS nth
    FROM orders WHERE ${isUnpaidSql()} AND NOT parked ORDER BY created_at DESC, id DESC LIMIT ${mostSweptNow}) unpaid`
  const sweeps = scheduleJobPart('sweeps', reading([], unpaid), {
    job: 'sweep_order',
    payload: sweepPayloadSql(0),
    runAt: Prisma.sql`business_now() + nth * ${1000 / askedPerSecond}::int * interval '1 ms'`,
    key: sweepKeySql,
  })
  await execute(pool, statement({ name: 'sweep-unpaid-now', parts: [sweeps] }))
}

/** The user's other unpaid orders, which a new purchase replaces. */
export const listReplacedOrders = (
  pool: Pool,
  userId: string,
  exceptOutTradeNo: string,
): Promise<AskedOrder[]> =>
  execute(
    pool,
    query(
      'list-replaced-orders',
      Prisma.sql`
      SELECT out_trade_no AS "outTradeNo", channel FROM orders
      WHERE user_id = ${userId}::uuid AND ${isUnpaidSql()} AND NOT parked
        AND id < (SELECT id FROM orders WHERE out_trade_no = ${exceptOutTradeNo})
      ORDER BY id LIMIT 50`,
      askedColumns,
    ),
  )

/**
 * Plans the next question about an order: on the schedule, and at the latest when it expires; attempt 0 is the one at its
 * expiry alone.
 */
export async function enqueueNextSweep(pool: Pool, outTradeNo: string, attempt: number): Promise<void> {
  const [before, after] = [sweepAfter(attempt - 1), sweepAfter(attempt)]
  const pause = before !== null && after !== null ? after - before : null
  // Past the schedule there is no pause: `least` passes over null, and the expiry is what is left.
  const runAt = Prisma.sql`least(expires_at, business_now() + ${pause}::int * interval '1 second')`
  const unpaid = Prisma.sql`orders WHERE out_trade_no = ${outTradeNo} AND ${isUnpaidSql()}`
  const next = scheduleJobPart('next_sweep', reading([], unpaid), {
    job: 'sweep_order',
    payload: sweepPayloadSql(attempt),
    runAt,
    key: sweepKeySql,
  })
  await execute(pool, statement({ name: 'sweep-next', parts: [next] }))
}

const minutesSql = (minutes: number): Prisma.Sql =>
  Prisma.sql`business_now() + ${minutes}::int * interval '1 minute'`

const firstWatch = {
  job: 'sweep_order',
  payload: sweepPayloadSql(0),
  runAt: minutesSql(watchMinutes[0]),
  key: sweepKeySql,
} as const

/** Begins to watch the open attempts of the order in `moved`, which is paid or closed now. */
export const watchAttemptsPart = <const Name extends string>(name: Name): Part<Name, 'moved'> =>
  scheduleJobPart(name, reading(['moved'], Prisma.sql`moved WHERE ${hasOpenAttemptSql('moved')}`), firstWatch)

/** Puts the next question about a watched order into the queue. False where it was the last one: 72 h are over. */
export async function enqueueNextWatch(pool: Pool, outTradeNo: string, attempt: number): Promise<boolean> {
  const [before, after] = [watchMinutes[attempt - 1] ?? 0, watchMinutes[attempt]]
  if (after === undefined) return false
  const next = scheduleJobPart(
    'next_watch',
    reading([], Prisma.sql`orders WHERE out_trade_no = ${outTradeNo}`),
    {
      job: 'sweep_order',
      payload: sweepPayloadSql(attempt),
      runAt: minutesSql(after - before),
      key: sweepKeySql,
    },
  )
  await execute(pool, statement({ name: 'watch-next', parts: [next] }))
  return true
}
