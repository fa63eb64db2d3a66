import { column, execute, type Pool, Prisma, part, reading, rowsOf, statement } from '@meridian/db'
import type { ConfirmedPayment } from '@meridian/payments'
import { scheduleJobPart } from '../jobs/due-jobs.ts'
import { appendEventsPart } from './append-event.ts'
import type { OpenedOrder, SignedAttempt } from './recent-purchases.ts'
import { sweepKeySql, sweepPayloadSql } from './sweep-schedule.ts'

type Lost = { payment: ConfirmedPayment; userId: string; platformHost: string }

const recreatedDetail = Prisma.sql`'{"recreated": true}'::jsonb`

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
  const detail = recreatedDetail
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

/** The platform is asked about it at once, whoever made it again. */
const sweepNow = {
  job: 'sweep_order',
  payload: sweepPayloadSql(0),
  runAt: Prisma.sql`business_now()`,
  key: sweepKeySql,
} as const

const recreated = { kind: 'create', trace: { channel: 'job', requestId: null } } as const

/**
 * Makes an order again with the terms it was opened with, unpaid, for this user. Its idempotency key stays away where
 * another order of the user has it by now.
 */
export async function reopenOrder(pool: Pool, { row, userId }: OpenedOrder): Promise<boolean> {
  const key = Prisma.sql`CASE WHEN NOT EXISTS (
    SELECT FROM orders taken WHERE taken.user_id = ${userId}::uuid AND taken.idempotency_key = kept.idempotency_key)
    THEN kept.idempotency_key END`
  const opened = Prisma.sql`
    INSERT INTO orders (out_trade_no, user_id, plan_code, plan_name, duration_days, features, amount_fen, currency,
      payer_openid, channel, virtual_product_id, app_id, mch_id, platform_host, idempotency_key, created_at, expires_at)
    SELECT out_trade_no, ${userId}::uuid, plan_code, plan_name, duration_days, features, amount_fen, currency,
      payer_openid, channel, virtual_product_id, app_id, mch_id, platform_host, ${key}, created_at, expires_at
    FROM jsonb_populate_record(NULL::orders, ${row}::jsonb) kept
    ON CONFLICT DO NOTHING
    RETURNING *, NULL::order_status AS from_status`
  const rows = await execute(
    pool,
    statement({
      name: 'reopen-order',
      parts: [
        part('opened', [], opened),
        appendEventsPart(rowsOf('opened'), { ...recreated, detail: recreatedDetail }),
        scheduleJobPart('sweep', rowsOf('opened'), sweepNow),
      ],
      select: reading(['opened'], Prisma.sql`SELECT id FROM opened`),
      rows: { id: column.bigint },
    }),
  )
  return rows.length === 1
}

/** Makes a signed number again, so that a payment of it finds its order. Nobody is answered with it any more. */
export async function reopenAttempt(
  pool: Pool,
  { number, outTradeNo }: Pick<SignedAttempt, 'number' | 'outTradeNo'>,
): Promise<boolean> {
  const attempt = Prisma.sql`
    INSERT INTO order_attempts (number, order_id) SELECT ${number}, id FROM orders WHERE out_trade_no = ${outTradeNo}
    ON CONFLICT DO NOTHING RETURNING order_id`
  const order = Prisma.sql`
    SELECT id, out_trade_no, status AS from_status, status FROM orders WHERE id = (SELECT order_id FROM attempt)`
  const detail = Prisma.sql`jsonb_build_object('attempt_no', ${number}::text, 'recreated', true)`
  const rows = await execute(
    pool,
    statement({
      name: 'reopen-attempt',
      parts: [
        part('attempt', [], attempt),
        part('signed', ['attempt'], order),
        appendEventsPart(rowsOf('signed'), { ...recreated, kind: 'attempt', detail }),
        scheduleJobPart('sweep', rowsOf('signed'), sweepNow),
      ],
      select: reading(['attempt'], Prisma.sql`SELECT order_id AS id FROM attempt`),
      rows: { id: column.bigint },
    }),
  )
  return rows.length === 1
}
