import { type Pool, type PoolClient, Prisma, run } from '@meridian/db'
import type { Payments } from '@meridian/payments'
import { ulid } from 'ulid'
import { enqueued } from '../jobs/enqueue-job.ts'
import type { Offer } from '../plans/list-plans.ts'
import { eventsFrom } from './append-event.ts'
import { sweepKey, sweepPayload } from './sweep-schedule.ts'

/** How long one attempt to obtain a prepay may keep others waiting. */
export const prepayLease = Prisma.sql`now() + interval '6 seconds'`

export type Buyer = { userId: string; openid: string; requestId: string }
export type NewOrder = { buyer: Buyer; offer: Offer; idempotencyKey: string | null }

/** An order as the purchase story follows it. */
export type OpenOrder = {
  outTradeNo: string
  status: 'created' | 'prepay' | 'paid' | 'closed' | 'refunded'
  planCode: string
  planName: string
  amountFen: number
  payerOpenid: string
  prepayId: string | null
  expiresAt: Date
  overdue: boolean
  prepayFresh: boolean
  leased: boolean
  prepayFailure: string | null
}

export const openOrderColumns = Prisma.sql`
  out_trade_no AS "outTradeNo", status, plan_code AS "planCode", plan_name AS "planName", amount_fen AS "amountFen",
  payer_openid AS "payerOpenid", prepay_id AS "prepayId", expires_at AS "expiresAt", expires_at <= now() AS overdue,
  coalesce(status = 'prepay' AND prepay_expires_at > now() + interval '1 minute', false) AS "prepayFresh",
  coalesce(prepay_leased_until > now(), false) AS leased, prepay_failure AS "prepayFailure"`

/**
 * Stores a new order, before the platform is called, together with its first timeline entry and the job that will
 * ask about it when it expires. Answers null when the user's key is taken, and for a user who was erased meanwhile.
 */
export async function openOrder(
  db: Pool | PoolClient,
  payments: Payments,
  { buyer, offer, idempotencyKey }: NewOrder,
): Promise<OpenOrder | null> {
  const statement = Prisma.sql`
    WITH opened AS (
      INSERT INTO orders (out_trade_no, user_id, plan_code, plan_name, duration_days, features, amount_fen, payer_openid,
        app_id, mch_id, platform_host, idempotency_key, expires_at, prepay_leased_until)
      (SELECT ${`M${ulid()}`}, id, ${offer.code}, ${offer.name}, ${offer.durationDays}, ${offer.features},
        ${offer.priceFen}, ${buyer.openid}, ${payments.appId}, ${payments.mchId}, ${payments.platformHost},
        ${idempotencyKey}, date_trunc('second', now()) + ${offer.ttlMinutes} * interval '1 minute', ${prepayLease}
       FROM users WHERE id = ${buyer.userId}::uuid AND erased_at IS NULL FOR KEY SHARE)
      ON CONFLICT (user_id, idempotency_key) DO NOTHING
      RETURNING *, NULL::order_status AS from_status),
    recorded AS (${eventsFrom(Prisma.sql`opened`, { kind: 'create', trace: { channel: 'rest', requestId: buyer.requestId } })})
    SELECT ${openOrderColumns},
      ${enqueued('sweep_order', sweepPayload(0), { runAt: Prisma.sql`expires_at`, key: sweepKey })} AS swept,
      ${enqueued('retire_unpaid_orders', Prisma.sql`json_build_object('userId', user_id, 'exceptOutTradeNo', out_trade_no)`)} AS retired
    FROM opened`
  const rows = await run<OpenOrder>(db, 'open-order', statement)
  return rows[0] ?? null
}

/** The order a user's key names. */
export async function findOrderByKey(pool: Pool, userId: string, key: string): Promise<OpenOrder | null> {
  const rows = await run<OpenOrder>(
    pool,
    'find-order-by-key',
    Prisma.sql`SELECT ${openOrderColumns} FROM orders WHERE user_id = ${userId}::uuid AND idempotency_key = ${key}`,
  )
  return rows[0] ?? null
}

/** The order again, after somebody else may have moved it. */
export async function reloadOrder(pool: Pool, outTradeNo: string): Promise<OpenOrder | null> {
  const rows = await run<OpenOrder>(
    pool,
    'reload-order',
    Prisma.sql`SELECT ${openOrderColumns} FROM orders WHERE out_trade_no = ${outTradeNo}`,
  )
  return rows[0] ?? null
}
