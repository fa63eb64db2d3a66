import { type Pool, type PoolClient, Prisma, run } from '@meridian/db'
import type { Payments } from '@meridian/payments'
import { ulid } from 'ulid'
import { enqueueJobSql, planned } from '../jobs/enqueue-job.ts'
import { findOfferSql, type PlanSelection } from '../plans/list-plans.ts'
import { measureMove } from '../platform/measures/order-measures.ts'
import { appendEventsSql } from './append-event.ts'
import { sweepKeySql, sweepPayloadSql } from './sweep-schedule.ts'

/** How long one attempt to obtain a prepay may keep others waiting. */
export const prepayLeaseSql = Prisma.sql`business_now() + interval '6 seconds'`

export type Buyer = { userId: string; openid: string; requestId: string }
export type PurchaseIntent = PlanSelection & { buyer: Buyer; idempotencyKey: string | null }

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

export const openOrderColumnsSql = Prisma.sql`
  out_trade_no AS "outTradeNo", status, plan_code AS "planCode", plan_name AS "planName", amount_fen AS "amountFen",
  payer_openid AS "payerOpenid", prepay_id AS "prepayId", expires_at AS "expiresAt", expires_at <= business_now() AS overdue,
  coalesce(status = 'prepay' AND prepay_expires_at > business_now() + interval '1 minute', false) AS "prepayFresh",
  coalesce(prepay_leased_until > business_now(), false) AS leased, prepay_failure AS "prepayFailure"`

/** When the order expires, at the latest, somebody asks the platform about it. */
const sweepAtExpiry = { payload: sweepPayloadSql(0), runAt: Prisma.sql`expires_at`, key: sweepKeySql }

const retirement = Prisma.sql`json_build_object('userId', user_id, 'exceptOutTradeNo', out_trade_no)`
const replacesAnother = Prisma.sql`
  EXISTS (SELECT FROM orders older WHERE older.user_id = opened.user_id AND older.id < opened.id
    AND older.status IN ('created', 'prepay') AND NOT older.parked)`

/**
 * Stores a new order, before the platform is called, together with its first timeline entry, the job that will ask
 * about it when it expires and, where it replaces another, the job that retires that one: all in one statement, the
 * reading of the offer too. Answers null when the user's key is taken, when there is no such offer, and for a user
 * who was erased meanwhile.
 */
export async function openOrder(
  db: Pool | PoolClient,
  payments: Payments,
  intent: PurchaseIntent,
): Promise<OpenOrder | null> {
  const { buyer, idempotencyKey } = intent
  const trace = { channel: 'rest', requestId: buyer.requestId } as const
  const opened = Prisma.sql`opened`
  const sweep = planned('sweep_order', opened, sweepAtExpiry)
  const statement = Prisma.sql`
    WITH opened AS (
      INSERT INTO orders (out_trade_no, user_id, plan_code, plan_name, duration_days, features, amount_fen, payer_openid,
        app_id, mch_id, platform_host, idempotency_key, expires_at, prepay_leased_until)
      (SELECT ${`M${ulid()}`}, u.id, offer.code, offer.name, offer.duration_days, offer.features, offer.price_fen,
        ${buyer.openid}, ${payments.appId}, ${payments.mchId}, ${payments.platformHost}, ${idempotencyKey},
        date_trunc('second', business_now()) + offer.ttl_minutes * interval '1 minute', ${prepayLeaseSql}
       FROM users u, (${findOfferSql(intent)}) offer
       WHERE u.id = ${buyer.userId}::uuid AND u.erased_at IS NULL FOR KEY SHARE OF u)
      ON CONFLICT (user_id, idempotency_key) DO NOTHING
      RETURNING *, NULL::order_status AS from_status),
    recorded AS (${appendEventsSql(opened, { kind: 'create', trace })}), ${sweep.part}
    SELECT ${openOrderColumnsSql}, ${sweep.id} AS swept,
      CASE WHEN ${replacesAnother} THEN ${enqueueJobSql('retire_unpaid_orders', retirement)} END AS retired
    FROM opened`
  const rows = await run<OpenOrder>(db, 'open-order', statement)
  if (rows[0]) measureMove('create')
  return rows[0] ?? null
}

/** The order a user's key names. */
export async function findOrderByKey(pool: Pool, userId: string, key: string): Promise<OpenOrder | null> {
  const rows = await run<OpenOrder>(
    pool,
    'find-order-by-key',
    Prisma.sql`SELECT ${openOrderColumnsSql} FROM orders WHERE user_id = ${userId}::uuid AND idempotency_key = ${key}`,
  )
  return rows[0] ?? null
}

/** The order again, after somebody else may have moved it. */
export async function reloadOrder(pool: Pool, outTradeNo: string): Promise<OpenOrder | null> {
  const rows = await run<OpenOrder>(
    pool,
    'reload-order',
    Prisma.sql`SELECT ${openOrderColumnsSql} FROM orders WHERE out_trade_no = ${outTradeNo}`,
  )
  return rows[0] ?? null
}
