import { type Pool, Prisma, run } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { appendEventsSql } from './append-event.ts'

type Lost = { payment: ConfirmedPayment; userId: string; platformHost: string }

/**
 * Makes an order again that a restored database has lost, from the payment that the platform confirms: with its number,
 * its payer and the one plan that has this price. Answers false when no plan or more than one has it, or when the order
 * is there already; a person decides then.
 */
export async function recreateOrder(pool: Pool, { payment, userId, platformHost }: Lost): Promise<boolean> {
  const { outTradeNo, amountFen, payerOpenid, appId, mchId, paidAt } = payment
  const trace = { channel: 'bill', requestId: null } as const
  const rows = await run(
    pool,
    'recreate-order',
    Prisma.sql`
      WITH plan AS (SELECT * FROM plans WHERE price_fen = ${amountFen}),
        opened AS (
          INSERT INTO orders (out_trade_no, user_id, plan_code, plan_name, duration_days, features, amount_fen, payer_openid,
            app_id, mch_id, platform_host, created_at, expires_at)
          SELECT ${outTradeNo}, ${userId}::uuid, code, name, duration_days, features, price_fen, ${payerOpenid}, ${appId},
            ${mchId}, ${platformHost}, ${paidAt}::timestamptz - interval '1 minute', ${paidAt}::timestamptz + interval '1 minute'
          FROM plan WHERE (SELECT count(*) FROM plan) = 1
          ON CONFLICT (out_trade_no) DO NOTHING
          RETURNING *, NULL::order_status AS from_status),
        recorded AS (${appendEventsSql(Prisma.sql`opened`, { kind: 'create', trace, detail: Prisma.sql`'{"recreated": true}'::jsonb` })})
      SELECT id FROM opened`,
  )
  return rows.length === 1
}
