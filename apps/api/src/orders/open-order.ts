import { OrderStatus, PaymentChannel, SaleChannel } from '@meridian/contracts'
import {
  column,
  execute,
  nullable,
  oneOf,
  type Pool,
  type PoolClient,
  Prisma,
  part,
  query,
  type RowOf,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import type { Payments, VirtualPayments } from '@meridian/payments'
import { scheduleJobPart } from '../jobs/due-jobs.ts'
import { jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { findOfferSql, type PlanSelection, saleRuleSql } from '../plans/list-plans.ts'
import { newUlid } from '../platform/ids/new-id.ts'
import { measureMove } from '../platform/measures/order-measures.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { appendEventsPart } from './append-event.ts'
import { isUnpaidSql } from './read-orders.ts'
import { sweepFromOpening } from './sweep-schedule.ts'

/** How long one attempt to obtain a prepay may keep others waiting. */
export const prepayLeaseSql = Prisma.sql`business_now() + interval '6 seconds'`

export type Buyer = { userId: string; openid: string; requestId: string }
export type PurchaseIntent = Omit<PlanSelection, 'hasLoginCode'> & {
  buyer: Buyer
  idempotencyKey: string | null
  /** A fresh code of `wx.login`; virtual payment needs one with each call. */
  loginCode: string | null
}

const openOrderColumns = {
  outTradeNo: column.text,
  status: oneOf(OrderStatus.options),
  channel: oneOf(PaymentChannel.options),
  planCode: column.text,
  planName: column.text,
  amountFen: column.integer,
  payerOpenid: column.text,
  virtualProductId: nullable(column.text),
  prepayId: nullable(column.text),
  expiresAt: column.instant,
  overdue: column.boolean,
  prepayFresh: column.boolean,
  leased: column.boolean,
  prepayFailure: nullable(column.text),
}
/** A new order beside all its columns as JSON, by which it can be made again. */
const newOrderColumns = { ...openOrderColumns, row: column.text }
type NewOrder = RowOf<typeof newOrderColumns>
/** An order that a repeat finds, beside the channel by which its client would buy today. */
const foundOrderColumns = { ...openOrderColumns, channelNow: oneOf(SaleChannel.options) }
export type FoundOrder = RowOf<typeof foundOrderColumns>
/** An order as the purchase story follows it. */
export type OpenOrder = RowOf<typeof openOrderColumns>

/** `orders` is the table, or the part of a statement that has its columns. */
const openOrderColumnsSql = Prisma.sql`
  out_trade_no AS "outTradeNo", status, orders.channel, plan_code AS "planCode", plan_name AS "planName", amount_fen AS "amountFen",
  payer_openid AS "payerOpenid", virtual_product_id AS "virtualProductId", prepay_id AS "prepayId", expires_at AS "expiresAt", expires_at <= business_now() AS overdue,
  coalesce(status = 'prepay' AND prepay_expires_at > business_now() + interval '1 minute', false) AS "prepayFresh",
  coalesce(prepay_leased_until > business_now(), false) AS leased, prepay_failure AS "prepayFailure"`

const retirement = {
  job: 'retire_unpaid_orders',
  payload: jobPayloadSql('retire_unpaid_orders', {
    userId: Prisma.sql`user_id`,
    exceptOutTradeNo: Prisma.sql`out_trade_no`,
  }),
  key: jobKeySql('retire_unpaid_orders', Prisma.sql`out_trade_no`),
} as const
/**
 * Whether the order that was opened replaces another that waits unpaid. By a scalar subquery, which looks its user up in
 * the index: an EXISTS may be planned as a join that walks through everybody's unpaid orders.
 */
const replacing = reading(
  ['opened'],
  Prisma.sql`opened WHERE (SELECT true FROM orders older WHERE older.user_id = opened.user_id AND older.id < opened.id
    AND ${isUnpaidSql('older')} AND NOT older.parked LIMIT 1)`,
)

/** Whom a payment is made to, by channel; null where that is not configured. */
export type Merchants = {
  payments: Pick<Payments, 'appId' | 'mchId' | 'platformHost'> | null
  virtual: Pick<VirtualPayments, 'appId' | 'offerId' | 'platformHost'> | null
}

/** The same as a relation: of virtual payment the offer stands where the merchant does. */
const merchantsSql = ({ payments, virtual }: Merchants): Prisma.Sql => Prisma.sql`
  (VALUES ('jsapi'::payment_channel, ${payments?.appId ?? null}::text, ${payments?.mchId ?? null}::text, ${payments?.platformHost ?? null}::text),
    ('virtual', ${virtual?.appId ?? null}, ${virtual?.offerId ?? null}, ${virtual?.platformHost ?? null}))
    merchant (channel, app_id, mch_id, platform_host)`

const selectionOf = (intent: PurchaseIntent): PlanSelection => ({
  ...intent,
  hasLoginCode: intent.loginCode !== null,
})

export const openOrderStatement = (merchants: Merchants, intent: PurchaseIntent) => {
  const { buyer, idempotencyKey } = intent
  const trace = { channel: 'rest', requestId: buyer.requestId } as const
  const opened = Prisma.sql`
      INSERT INTO orders (out_trade_no, user_id, plan_code, plan_name, duration_days, features, amount_fen, payer_openid,
        channel, virtual_product_id, app_id, mch_id, platform_host, idempotency_key, expires_at, prepay_leased_until)
      (SELECT ${`M${newUlid()}`}, u.id, offer.code, offer.name, offer.duration_days, offer.features, offer.price_fen,
        ${buyer.openid}, offer.channel, offer.product_id, merchant.app_id, merchant.mch_id, merchant.platform_host, ${idempotencyKey},
        date_trunc('second', business_now()) + offer.ttl_minutes * interval '1 minute', ${prepayLeaseSql}
       FROM users u, (${findOfferSql(selectionOf(intent))}) offer JOIN ${merchantsSql(merchants)}
         ON merchant.channel = offer.channel AND merchant.app_id IS NOT NULL
       WHERE u.id = ${buyer.userId}::uuid AND u.erased_at IS NULL FOR KEY SHARE OF u)
      ON CONFLICT (user_id, idempotency_key) DO NOTHING
      RETURNING *, NULL::order_status AS from_status`
  return statement({
    name: 'open-order',
    parts: [
      part('opened', [], opened),
      appendEventsPart(rowsOf('opened'), { kind: 'create', trace }),
      scheduleJobPart('sweep', rowsOf('opened'), sweepFromOpening),
      scheduleJobPart('retirement', replacing, retirement),
    ],
    select: reading(
      ['opened'],
      Prisma.sql`SELECT ${openOrderColumnsSql}, row_to_json(orders)::text AS row FROM opened orders`,
    ),
    rows: newOrderColumns,
  })
}

/**
 * Stores a new order, before the platform is called, together with its first timeline entry, the job that will ask
 * about it soon and, where it replaces another, the job that retires that one: all in one statement, the
 * reading of the offer too. Answers null when the user's key is taken, when there is no such offer, and for a user
 * who was erased meanwhile.
 */
export async function openOrder(
  db: Pool | PoolClient,
  merchants: Merchants,
  intent: PurchaseIntent,
): Promise<NewOrder | null> {
  const rows = await execute(db, openOrderStatement(merchants, intent))
  if (rows[0]) measureMove('create', rows[0].channel, rows[0].outTradeNo)
  return rows[0] ?? null
}

/** The order a user's key names. */
export async function findOrderByKey(
  pool: Pool,
  { buyer, platform }: PurchaseIntent,
  key: string,
): Promise<FoundOrder | null> {
  const sql = Prisma.sql`
    SELECT ${openOrderColumnsSql}, rule.channel AS "channelNow" FROM orders, (${saleRuleSql(platform)}) rule
    WHERE user_id = ${buyer.userId}::uuid AND idempotency_key = ${key}`
  const [order = null] = await execute(pool, query('find-order-by-key', sql, foundOrderColumns))
  return order
}

/** The order again, after somebody else may have moved it. */
export async function reloadOrder(pool: Pool, outTradeNo: string): Promise<OpenOrder | null> {
  const sql = Prisma.sql`SELECT ${openOrderColumnsSql} FROM orders WHERE out_trade_no = ${outTradeNo}`
  const [order = null] = await execute(pool, query('reload-order', sql, openOrderColumns))
  return order
}

/**
 * Two taps make one order: without a key, an unpaid order of the same user, plan and price younger than ten seconds
 * is the order. The lock makes simultaneous taps of one user queue up; nothing else waits for it.
 */
export const openTappedOrder = (pool: Pool, merchants: Merchants, intent: PurchaseIntent) =>
  inTransaction(pool, async (client) => {
    await execute(
      client,
      query(
        'lock-taps',
        Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${intent.buyer.userId}, 7))`,
      ),
    )
    const sql = Prisma.sql`
        SELECT ${openOrderColumnsSql}, orders.channel::text AS "channelNow" FROM orders
        WHERE user_id = ${intent.buyer.userId}::uuid AND plan_code = ${intent.planCode}
          AND (amount_fen, channel) = (SELECT price_fen, channel FROM (${findOfferSql({ ...selectionOf(intent), expectedAmountFen: null })}) offer)
          AND ${isUnpaidSql()} AND created_at > business_now() - interval '10 seconds'
        ORDER BY created_at DESC, id DESC LIMIT 1`
    const [existing = null] = await execute(client, query('find-tapped-order', sql, foundOrderColumns))
    return { existing, opened: existing ? null : await openOrder(client, merchants, intent) }
  })
