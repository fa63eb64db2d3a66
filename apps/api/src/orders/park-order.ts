import { type Pool, Prisma, run } from '@meridian/db'
import { appendEventsSql, type Trace } from './append-event.ts'

/** Takes an order out of everything automatic until an operator decides. Answers false when it was parked already. */
export async function parkOrder(
  pool: Pool,
  { outTradeNo, reason, trace }: { outTradeNo: string; reason: string; trace: Trace },
): Promise<boolean> {
  const detail = Prisma.sql`jsonb_build_object('reason', park_reason)`
  const rows = await run(
    pool,
    'park-order',
    Prisma.sql`
      WITH parked AS (
        UPDATE orders SET parked = true, park_reason = ${reason} WHERE out_trade_no = ${outTradeNo} AND NOT parked
        RETURNING id, status AS from_status, status, park_reason),
      recorded AS (${appendEventsSql(Prisma.sql`parked`, { kind: 'park', trace, detail })})
      SELECT id FROM parked`,
  )
  return rows.length === 1
}
