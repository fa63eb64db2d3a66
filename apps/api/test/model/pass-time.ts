import { inTransaction } from '../../src/in-transaction.ts'
import type { Shop } from './open-shop.ts'

const ago = (...columns: string[]) => columns.map((column) => `${column} = ${column} - $2`).join(', ')

const ageing = [
  `UPDATE orders SET ${ago('created_at', 'expires_at', 'prepay_expires_at', 'prepay_leased_until', 'paid_at', 'confirmed_at', 'closed_at')} WHERE user_id = $1`,
  `UPDATE refunds SET ${ago('created_at', 'decided_at', 'submitted_at', 'succeeded_at')} WHERE order_id IN (SELECT id FROM orders WHERE user_id = $1)`,
  `UPDATE grants SET ${ago('created_at', 'effective_at', 'expires_before', 'expires_after')} WHERE user_id = $1`,
  `UPDATE subscriptions SET expires_at = expires_at - $2, feature_expires_at = coalesce((
     SELECT jsonb_object_agg(key, value::timestamptz - $2) FROM jsonb_each_text(feature_expires_at)), '{}') WHERE user_id = $1`,
]

/** What an hour does to a user, without waiting for it: everything that has happened, here and on the platform, is that much longer ago. */
export async function passTime(
  { pool, platform }: Shop,
  { userId, orderNos, ms }: { userId: string; orderNos: readonly string[]; ms: number },
): Promise<void> {
  const interval = `interval '${ms} milliseconds'`
  await inTransaction(pool, async (client) => {
    await client.query('SET LOCAL session_replication_role = replica')
    for (const statement of ageing) await client.query(statement.replaceAll('$2', interval), [userId])
    await client.query(
      `UPDATE graphile_worker._private_jobs SET run_at = run_at - ${interval} WHERE locked_by IS NULL`,
    )
  })

  const ago = (date: Date) => new Date(date.getTime() - ms)
  for (const no of orderNos) {
    const order = platform.orders.get(no)
    if (!order) continue
    order.createdAt = ago(order.createdAt)
    if (order.expiresAt) order.expiresAt = ago(order.expiresAt)
    for (const payment of order.payments) payment.paidAt = ago(payment.paidAt)
    for (const prepay of order.prepayIds) prepay.madeAt = ago(prepay.madeAt)
  }
  for (const refund of platform.refunds.values()) {
    if (!orderNos.includes(refund.outTradeNo)) continue
    refund.createdAt = ago(refund.createdAt)
    if (refund.succeededAt) refund.succeededAt = ago(refund.succeededAt)
  }
}
