import { execute, type Pool, Prisma, query } from '@meridian/db'
import type { Payments } from '@meridian/payments'
import { findOfferSql } from '../plans/list-plans.ts'
import { inTransaction } from '../platform/sql/in-transaction.ts'
import { isUnpaidSql } from './is-unpaid.ts'
import { openOrder, openOrderColumns, openOrderColumnsSql, type PurchaseIntent } from './open-order.ts'

/**
 * Two taps make one order: without a key, an unpaid order of the same user, plan and price younger than ten seconds
 * is the order. The lock makes simultaneous taps of one user queue up; nothing else waits for it.
 */
export const openTappedOrder = (pool: Pool, payments: Payments, intent: PurchaseIntent) =>
  inTransaction(pool, async (client) => {
    await execute(
      client,
      query(
        'lock-taps',
        Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${intent.buyer.userId}, 7))`,
      ),
    )
    const sql = Prisma.sql`
        SELECT ${openOrderColumnsSql} FROM orders
        WHERE user_id = ${intent.buyer.userId}::uuid AND plan_code = ${intent.planCode}
          AND amount_fen = (SELECT price_fen FROM (${findOfferSql({ ...intent, expectedAmountFen: null })}) offer)
          AND ${isUnpaidSql()} AND created_at > business_now() - interval '10 seconds'
        ORDER BY created_at DESC, id DESC LIMIT 1`
    const [existing = null] = await execute(client, query('find-tapped-order', sql, openOrderColumns))
    return { existing, opened: existing ? null : await openOrder(client, payments, intent) }
  })
