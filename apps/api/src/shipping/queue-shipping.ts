import {
  column,
  type Database,
  execute,
  type Pool,
  Prisma,
  part,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import { type Actor, writeAudit } from '../audit/write-audit.ts'
import { scheduleJobPart } from '../jobs/due-jobs.ts'
import { jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { settingSql } from '../settings/read-settings.ts'

const { sql } = Prisma

export const isShippingOnSql = sql`(${settingSql('upload_shipping_info')} = 'true'::jsonb)`
/** One job per order; both read the order's columns. */
export const shippingKeySql = jobKeySql('upload_shipping', sql`out_trade_no`)
export const shippingPayloadSql = (attempt: number) =>
  jobPayloadSql('upload_shipping', { outTradeNo: sql`out_trade_no`, attempt })

const uploadJob = { job: 'upload_shipping', payload: shippingPayloadSql(0), key: shippingKeySql } as const

/** The platform learns of its own payment a little later here than where it told us. */
const afterPayment = sql`business_now() + interval '15 seconds'`

/**
 * Rows and jobs for the orders of `which`, a condition on the order `o`, that have none yet. Virtual payment has none: its
 * delivery is confirmed otherwise, and its orders are not of this merchant (virtual payment §5, assumption in §9).
 */
const queueing = (name: string, which: Prisma.Sql) => {
  const due = sql`
    INSERT INTO shipping_uploads (order_id)
    SELECT o.id FROM orders o WHERE o.status = 'paid' AND o.channel = 'jsapi' AND ${isShippingOnSql} AND ${which}
    ON CONFLICT DO NOTHING RETURNING order_id`
  const orders = reading(['due'], sql`due JOIN orders o ON o.id = due.order_id`)
  return statement({
    name,
    parts: [part('due', [], due), scheduleJobPart('upload', orders, { ...uploadJob, runAt: afterPayment })],
    select: reading(['due'], sql`SELECT order_id FROM due`),
    rows: { order_id: column.bigint },
  })
}

/** Orders have been paid: their information is due when the setting is on. Repeating it changes nothing. */
export async function queueShipping(pool: Pool, outTradeNos: readonly string[]): Promise<void> {
  await execute(pool, queueing('queue-shipping', sql`o.out_trade_no = ANY(${[...outTradeNos]}::text[])`))
}

/** Orders of the last month that were paid while the setting was off. Answers how many are queued now. */
export async function queueMissedShipping(pool: Pool): Promise<number> {
  const missed = sql`o.id IN (
    SELECT p.id FROM orders p WHERE p.paid_at > business_now() - interval '720 hours' AND p.status = 'paid' AND p.channel = 'jsapi' AND NOT p.imported
      AND NOT EXISTS (SELECT 1 FROM shipping_uploads u WHERE u.order_id = p.id)
    ORDER BY p.paid_at LIMIT 1000)`
  return (await execute(pool, queueing('queue-missed-shipping', missed))).length
}

/** An operator tries an order again whose upload has failed. Answers whether there was one. */
export async function retryShipping(
  database: Database,
  { outTradeNo, operatorId, from }: Actor & { outTradeNo: string },
): Promise<boolean> {
  const subject = { type: 'order', id: outTradeNo }
  return database.$transaction(async (db) => {
    await writeAudit(db, { operatorId, action: 'shipping.retry', subject }, from)
    const again = sql`
      UPDATE shipping_uploads u SET state = 'pending' FROM orders o
      WHERE o.id = u.order_id AND o.out_trade_no = ${outTradeNo} AND u.state IN ('pending', 'failed')
      RETURNING o.out_trade_no`
    const retried = statement({
      name: 'retry-shipping',
      parts: [part('again', [], again), scheduleJobPart('upload', rowsOf('again'), uploadJob)],
      select: reading(['again'], sql`SELECT out_trade_no FROM again`),
    })
    const rows = await db.$queryRaw<object[]>(retried.sql)
    return rows.length === 1
  })
}
