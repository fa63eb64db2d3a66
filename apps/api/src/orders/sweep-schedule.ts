import { column, execute, type Pool, Prisma, query, type RowOf, reading, statement } from '@meridian/db'
import { enqueueJobPart, jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { isUnpaidSql } from './read-orders.ts'

/** When an unpaid order is asked about after its prepay, in seconds: the platform's advice. */
const sweepSeconds = [5, 30, 60, 180, 300, 600, 1800] as const

/** One job per order: asking again replaces the job that was waiting. Both read the order's columns. */
export const sweepKeySql = jobKeySql('sweep_order', Prisma.sql`out_trade_no`)
export const sweepPayloadSql = (attempt: number) =>
  jobPayloadSql('sweep_order', { outTradeNo: Prisma.sql`out_trade_no`, attempt })

/** When to ask after this many attempts: seconds after the prepay, or null for "when the order expires". */
const sweepAfter = (attempt: number): number | null => sweepSeconds[attempt] ?? null

const sweepableOrderColumns = { outTradeNo: column.text, overdue: column.boolean, superseded: column.boolean }
type SweepableOrder = RowOf<typeof sweepableOrderColumns>

/** An order that is still to be asked about: unpaid, and no operator is looking at it. */
export async function findSweepableOrder(pool: Pool, outTradeNo: string): Promise<SweepableOrder | null> {
  const rows = await execute(
    pool,
    query(
      'find-sweepable-order',
      Prisma.sql`
      SELECT out_trade_no AS "outTradeNo", expires_at <= business_now() AS overdue, EXISTS (
          SELECT FROM orders newer WHERE newer.user_id = orders.user_id AND newer.id > orders.id
            AND newer.created_at > orders.created_at - interval '1 minute') AS superseded
      FROM orders
      WHERE out_trade_no = ${outTradeNo} AND ${isUnpaidSql()} AND NOT parked`,
      sweepableOrderColumns,
    ),
  )
  return rows[0] ?? null
}

/** Every unpaid order that no operator is looking at, oldest first. */
export async function listUnpaidOrders(pool: Pool): Promise<string[]> {
  const rows = await execute(
    pool,
    query(
      'list-unpaid-orders',
      Prisma.sql`
      SELECT out_trade_no AS "outTradeNo" FROM orders
      WHERE ${isUnpaidSql()} AND NOT parked ORDER BY created_at, id`,
      { outTradeNo: column.text },
    ),
  )
  return rows.map((row) => row.outTradeNo)
}

/** The user's other unpaid orders, which a new purchase replaces. */
export async function listReplacedOrders(
  pool: Pool,
  userId: string,
  exceptOutTradeNo: string,
): Promise<string[]> {
  const rows = await execute(
    pool,
    query(
      'list-replaced-orders',
      Prisma.sql`
      SELECT out_trade_no AS "outTradeNo" FROM orders
      WHERE user_id = ${userId}::uuid AND ${isUnpaidSql()} AND NOT parked
        AND id < (SELECT id FROM orders WHERE out_trade_no = ${exceptOutTradeNo})
      ORDER BY id LIMIT 50`,
      { outTradeNo: column.text },
    ),
  )
  return rows.map((row) => row.outTradeNo)
}

/** Puts the next question about an order into the queue: on the schedule, and at the latest when it expires. */
export async function enqueueNextSweep(pool: Pool, outTradeNo: string, attempt: number): Promise<void> {
  const [before, after] = [sweepAfter(attempt - 1), sweepAfter(attempt)]
  const pause = before !== null && after !== null ? after - before : null
  // Past the schedule there is no pause: `least` passes over null, and the expiry is what is left.
  const runAt = Prisma.sql`least(expires_at, business_now() + ${pause}::int * interval '1 second')`
  const unpaid = Prisma.sql`orders WHERE out_trade_no = ${outTradeNo} AND ${isUnpaidSql()}`
  const next = enqueueJobPart('next_sweep', reading([], unpaid), {
    job: 'sweep_order',
    payload: sweepPayloadSql(attempt),
    runAt,
    key: sweepKeySql,
  })
  await execute(pool, statement({ name: 'sweep-next', parts: [next] }))
}
