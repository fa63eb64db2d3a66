import { column, execute, type Pool, Prisma, query } from '@meridian/db'

/** Another order of the same user paid within ten minutes of this one, by the platform's clock. */
export async function findNeighbouringPayment(pool: Pool, outTradeNo: string): Promise<string | null> {
  const rows = await execute(
    pool,
    query(
      'find-neighbouring-payment',
      Prisma.sql`
      SELECT other.out_trade_no AS "outTradeNo" FROM orders paid JOIN orders other ON other.user_id = paid.user_id
      WHERE paid.out_trade_no = ${outTradeNo} AND other.id <> paid.id
        AND other.paid_at BETWEEN paid.paid_at - interval '10 minutes' AND paid.paid_at + interval '10 minutes'
      ORDER BY other.id LIMIT 1`,
      { outTradeNo: column.text },
    ),
  )
  return rows[0]?.outTradeNo ?? null
}
