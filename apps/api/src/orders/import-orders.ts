import {
  column,
  execute,
  type Part,
  type PoolClient,
  Prisma,
  part,
  reading,
  rowsOf,
  statement,
} from '@meridian/db'
import { appendEventsPart, type Trace } from './append-event.ts'

const { sql } = Prisma

/** An order that was paid elsewhere. `days` null: those of its plan; 0: its days come another way. */
export type ImportedOrder = {
  userId: string
  openid: string
  outTradeNo: string
  planCode: string
  amountFen: number
  transactionId: string | null
  paidAt: string
  days: number | null
}

/** Whom imported orders are refunded by: their transaction is taken for one of this merchant. */
export type ImportMerchant = { appId: string; mchId: string; platformHost: string }

const noMerchant: ImportMerchant = { appId: '', mchId: '', platformHost: '' }
export const importTrace: Trace = { channel: 'import', requestId: null }

/** What keeps the row `r` from becoming an order, as conditions by the code of the fault. */
export const orderObstacles = {
  number_taken: sql`(EXISTS (SELECT 1 FROM orders o WHERE o.out_trade_no = r.out_trade_no)
    OR EXISTS (SELECT 1 FROM order_attempts a WHERE a.number = r.out_trade_no))`,
  transaction_taken: sql`(EXISTS (SELECT 1 FROM orders o WHERE o.transaction_id = r.transaction_id)
    OR EXISTS (SELECT 1 FROM second_payments s WHERE s.transaction_id = r.transaction_id))`,
} as const

/**
 * Orders of another system, as they were paid there, with their line on the timeline. Nobody confirmed them to us, and
 * without a transaction nobody can give the money back through us. One whose number or transaction is taken is left out.
 */
export function importOrdersParts(orders: readonly ImportedOrder[], merchant: ImportMerchant = noMerchant) {
  const told = sql`jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) t ("userId" uuid, openid text, "outTradeNo" text,
    "planCode" text, "amountFen" int, "transactionId" text, "paidAt" timestamptz, days int)`
  const imported = sql`
    INSERT INTO orders (out_trade_no, user_id, status, plan_code, plan_name, duration_days, features, amount_fen, payer_openid,
      app_id, mch_id, platform_host, created_at, expires_at, transaction_id, paid_at, imported)
    SELECT t."outTradeNo", t."userId", 'paid', p.code, p.name, coalesce(nullif(t.days, 0), p.duration_days), p.features, t."amountFen",
      t.openid, ${merchant.appId}, CASE WHEN t."transactionId" IS NULL THEN '' ELSE ${merchant.mchId} END, ${merchant.platformHost},
      t."paidAt" - interval '1 minute', t."paidAt" + interval '1 minute', t."transactionId", t."paidAt", true
    FROM ${told} JOIN plans p ON p.code = t."planCode"
      CROSS JOIN LATERAL (SELECT t."outTradeNo" AS out_trade_no, t."transactionId" AS transaction_id) r
    WHERE NOT ${orderObstacles.number_taken} AND NOT ${orderObstacles.transaction_taken}
    ON CONFLICT DO NOTHING
    RETURNING *, NULL::order_status AS from_status`
  return [
    part('imported', [], imported),
    appendEventsPart(rowsOf('imported'), { kind: 'import', trace: importTrace }),
  ] as const satisfies readonly Part<string, string>[]
}

/**
 * Takes imported orders back, inside the caller's transaction: each gives its number and its transaction back, which its
 * timeline keeps, and gets a number of ours instead.
 */
export async function undoImportedOrders(
  client: PoolClient,
  orders: readonly { id: string; number: string }[],
): Promise<void> {
  const told = sql`jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) t (id bigint, number text)`
  await execute(
    client,
    statement({
      name: 'undo-imported-orders',
      parts: [
        part(
          'held',
          [],
          sql`SELECT o.id, o.out_trade_no, o.transaction_id, t.number FROM ${told} JOIN orders o ON o.id = t.id
            ORDER BY o.id FOR UPDATE OF o`,
        ),
        part(
          'moved',
          ['held'],
          sql`
          UPDATE orders o SET out_trade_no = h.number, transaction_id = NULL, import_undone_at = business_now()
          FROM held h WHERE o.id = h.id
          RETURNING o.id, o.status, o.status AS from_status, h.out_trade_no AS number, h.transaction_id AS transaction`,
        ),
        appendEventsPart(rowsOf('moved'), {
          kind: 'import_undone',
          trace: importTrace,
          detail: sql`jsonb_build_object('out_trade_no', number, 'transaction_id', transaction)`,
        }),
      ],
      select: reading(['moved'], sql`SELECT count(*)::int AS count FROM moved`),
      rows: { count: column.integer },
    }),
  )
}
