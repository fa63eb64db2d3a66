import { column, execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import type { Platform } from '@meridian/payments/testing'
import { type Shot, shot } from './load.ts'
import type { BenchWorld } from './open-world.ts'

const unpaidColumns = {
  outTradeNo: column.text,
  userId: column.text,
  payerOpenid: column.text,
  amountFen: column.integer,
}
type UnpaidOrder = RowOf<typeof unpaidColumns>

const amountFen = 2900

/** Ordered by time like the numbers that the product gives, so that they lie side by side in an index. */
const timeOrderedNumberSql = Prisma.sql`
  'M' || upper(lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1e6)::bigint), 14, '0') || left(replace(gen_random_uuid()::text, '-', ''), 12))`

/** Orders that wait for their payment, each of another user, known to the platform too; as many as there are users. */
export async function plantUnpaid(pool: Pool, platform: Platform, count: number): Promise<UnpaidOrder[]> {
  const { appId, mchId } = platform.settings()
  const planted = await execute(
    pool,
    query(
      null,
      Prisma.sql`
      INSERT INTO orders (out_trade_no, user_id, status, plan_code, plan_name, duration_days, features, amount_fen,
        payer_openid, app_id, mch_id, platform_host, prepay_id, prepay_expires_at, expires_at)
      SELECT ${timeOrderedNumberSql}, id, 'prepay', 'monthly', '月度会员', 30,
        '{report_detail,manual_treatment}', ${amountFen}::int, openid, ${appId}, ${mchId}, 'bench', 'wx', now() + interval '2 hours',
        now() + interval '2 hours'
      FROM users WHERE openid LIKE 'oBench%' AND openid > 'oBench' || repeat('0', 20) ORDER BY random() LIMIT ${count}
      RETURNING out_trade_no AS "outTradeNo", user_id AS "userId", payer_openid AS "payerOpenid", amount_fen AS "amountFen"`,
      unpaidColumns,
    ),
  )
  for (const order of planted) platform.plantOrder(order)
  return planted
}

export type SignedNotification = { headers: Record<string, string>; body: Buffer }
export type DuePayment = { order: UnpaidOrder; signed: SignedNotification }

/** Orders that wait for their payment, each with its signed notification: valid for the next five minutes. */
export async function duePayments(world: BenchWorld, count: number): Promise<DuePayment[]> {
  const orders = await plantUnpaid(world.services.database.pool, world.platform, count)
  await Promise.all(orders.map(({ outTradeNo }) => world.platform.pay(outTradeNo, { silent: true })))
  return orders.map((order) => ({ order, signed: signedNotification(world.platform, order.outTradeNo) }))
}

/** The platform's notification of this payment, as it arrives: names of headers in lower case. */
export function signedNotification(platform: Platform, outTradeNo: string): SignedNotification {
  const { headers, body } = platform.notification(outTradeNo)
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { headers: Object.fromEntries(lowered), body: Buffer.from(body) }
}

export const shotOf = ({ signed: { headers, body } }: DuePayment): Shot =>
  shot({ method: 'POST', path: '/api/v1/payment/notify', headers, body })
