import { column, execute, type Pool, Prisma, part, reading, rowsOf, statement } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { appendEventsPart } from './append-event.ts'

type Lost = { payment: ConfirmedPayment; userId: string; platformHost: string }

const recreateStatement = ({ payment, userId, platformHost }: Lost) => {
  const { outTradeNo, amountFen, payerOpenid, appId, mchId, paidAt } = payment
  const trace = { channel: 'bill', requestId: null } as const
  const opened = Prisma.sql`
    INSERT INTO orders (out_trade_no, user_id, plan_code, plan_name, duration_days, features, amount_fen, payer_openid,
      app_id, mch_id, platform_host, created_at, expires_at)
    SELECT ${outTradeNo}, ${userId}::uuid, code, name, duration_days, features, price_fen, ${payerOpenid}, ${appId},
      ${mchId ?? ''}, ${platformHost}, ${paidAt}::timestamptz - interval '1 minute', ${paidAt}::timestamptz + interval '1 minute'
    FROM plan WHERE (SELECT count(*) FROM plan) = 1
    ON CONFLICT (out_trade_no) DO NOTHING
    RETURNING *, NULL::order_status AS from_status`
  const detail = Prisma.sql`'{"recreated": true}'::jsonb`
  return statement({
    name: 'recreate-order',
    parts: [
      part('plan', [], Prisma.sql`SELECT * FROM plans WHERE price_fen = ${amountFen}`),
      part('opened', ['plan'], opened),
      appendEventsPart(rowsOf('opened'), { kind: 'create', trace, detail }),
    ],
    select: reading(['opened'], Prisma.sql`SELECT id FROM opened`),
    rows: { id: column.bigint },
  })
}

/**
 * Makes an order again that a restored database has lost, from the payment that the platform confirms: with its number,
 * its payer and the one plan that has this price. Answers false when no plan or more than one has it, or when the order
 * is there already; a person decides then.
 */
export const recreateOrder = async (pool: Pool, lost: Lost): Promise<boolean> =>
  (await execute(pool, recreateStatement(lost))).length === 1
