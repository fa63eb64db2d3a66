import { type Pool, Prisma, run } from '@meridian/db'
import type { Payments } from '@meridian/payments'
import { type NewOrder, type OpenOrder, openOrder, openOrderColumns } from './open-order.ts'

/**
 * Two taps make one order: without a key, an unpaid order of the same user, plan and price younger than ten seconds
 * is the order. The lock makes simultaneous taps of one user queue up; nothing else waits for it.
 */
export async function openTappedOrder(pool: Pool, payments: Payments, order: NewOrder) {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await run(
      client,
      'lock-taps',
      Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${order.buyer.userId}, 7))`,
    )
    const tapped = await run<OpenOrder>(
      client,
      'find-tapped-order',
      Prisma.sql`
        SELECT ${openOrderColumns} FROM orders
        WHERE user_id = ${order.buyer.userId}::uuid AND plan_code = ${order.offer.code} AND amount_fen = ${order.offer.priceFen}
          AND status IN ('created', 'prepay') AND created_at > now() - interval '10 seconds'
        ORDER BY created_at DESC, id DESC LIMIT 1`,
    )
    const opened = tapped[0] ? null : await openOrder(client, payments, order)
    await client.query('COMMIT')
    return { opened, existing: tapped[0] ?? null }
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}
