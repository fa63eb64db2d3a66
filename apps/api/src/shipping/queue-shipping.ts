import { type Database, type Pool, Prisma, run } from '@meridian/db'
import { type RequestMeta, writeAudit } from '../audit/write-audit.ts'
import { enqueueJobSql } from '../jobs/enqueue-job.ts'
import { settingSql } from '../settings/read-settings.ts'

const { sql } = Prisma

export const isShippingOnSql = sql`(${settingSql('upload_shipping_info')} = 'true'::jsonb)`
/** One job per order; both read the order's columns. */
export const shippingKeySql = sql`'ship:' || out_trade_no`
export const shippingPayloadSql = (attempt: number): Prisma.Sql =>
  sql`json_build_object('outTradeNo', out_trade_no, 'attempt', ${attempt}::int)`

/** The platform learns of its own payment a little later here than where it told us. */
const afterPayment = sql`business_now() + interval '15 seconds'`

/** Rows and jobs for the orders of `which`, a condition on the order `o`, that have none yet. */
const queued = (which: Prisma.Sql): Prisma.Sql => sql`
  WITH due AS (
    INSERT INTO shipping_uploads (order_id)
    SELECT o.id FROM orders o WHERE o.status = 'paid' AND ${isShippingOnSql} AND ${which}
    ON CONFLICT DO NOTHING RETURNING order_id)
  SELECT ${enqueueJobSql('upload_shipping', shippingPayloadSql(0), { runAt: afterPayment, key: shippingKeySql })} AS job
  FROM due JOIN orders o ON o.id = due.order_id`

/** An order has been paid: its information is due when the setting is on. Repeating it changes nothing. */
export async function queueShipping(pool: Pool, outTradeNo: string): Promise<void> {
  await run(pool, 'queue-shipping', queued(sql`o.out_trade_no = ${outTradeNo}`))
}

/** Orders of the last month that were paid while the setting was off. Answers how many are queued now. */
export async function queueMissedShipping(pool: Pool): Promise<number> {
  const missed = sql`o.id IN (
    SELECT p.id FROM orders p WHERE p.paid_at > business_now() - interval '30 days' AND p.status = 'paid'
      AND NOT EXISTS (SELECT 1 FROM shipping_uploads u WHERE u.order_id = p.id)
    ORDER BY p.paid_at LIMIT 1000)`
  return (await run(pool, 'queue-missed-shipping', queued(missed))).length
}

/** An operator tries an order again whose upload has failed. Answers whether there was one. */
export async function retryShipping(
  database: Database,
  { outTradeNo, operatorId, from }: { outTradeNo: string; operatorId: string; from: RequestMeta },
): Promise<boolean> {
  const subject = { type: 'order', id: outTradeNo }
  return database.$transaction(async (db) => {
    await writeAudit(db, { operatorId, action: 'shipping.retry', subject }, from)
    const rows = await db.$queryRaw<object[]>(sql`
      WITH again AS (
        UPDATE shipping_uploads u SET state = 'pending' FROM orders o
        WHERE o.id = u.order_id AND o.out_trade_no = ${outTradeNo} AND u.state IN ('pending', 'failed')
        RETURNING o.out_trade_no)
      SELECT ${enqueueJobSql('upload_shipping', shippingPayloadSql(0), { key: shippingKeySql })} AS job FROM again`)
    return rows.length === 1
  })
}
