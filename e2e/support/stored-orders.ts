import { ask, askOne, rewrite } from './database.ts'

export type StoredOrder = {
  status: string
  confirmed_by: string | null
  amount_fen: number
  transaction_id: string | null
  parked: boolean
  refund_reserved_fen: number
  grants: number
  granted_days: number
  /** What happened to it; not how often somebody asked in vain. */
  events: string[]
}

/** What the database itself holds about an order, whatever any screen says. */
export const storedOrder = (outTradeNo: string): Promise<StoredOrder> =>
  askOne(
    `SELECT o.status, o.confirmed_by, o.amount_fen::int, o.transaction_id, o.parked, o.refund_reserved_fen,
            (SELECT count(*)::int FROM grants g WHERE g.order_id = o.id) AS grants,
            (SELECT coalesce(sum(g.days), 0)::int FROM grants g LEFT JOIN refunds r ON r.id = g.refund_id
             WHERE o.id IN (g.order_id, r.order_id)) AS granted_days,
            (SELECT array_agg(e.kind::text ORDER BY e.id) FROM order_events e
             WHERE e.order_id = o.id AND e.kind <> 'ask') AS events
       FROM orders o WHERE o.out_trade_no = $1`,
    outTradeNo,
  )

/** How the refunds of an order stand, oldest first. */
export async function refundsOf(outTradeNo: string): Promise<string[]> {
  const rows = await ask<{ status: string }>(
    `SELECT r.status::text FROM refunds r JOIN orders o ON o.id = r.order_id
      WHERE o.out_trade_no = $1 ORDER BY r.id`,
    [outTradeNo],
  )
  return rows.map(({ status }) => status)
}

/** The user who made an order, and how many days they have left. */
export const buyerOf = (outTradeNo: string): Promise<{ userId: string; days: number }> =>
  askOne(
    `SELECT s.user_id AS "userId", ceil(extract(epoch FROM s.expires_at - business_now()) / 86400)::int AS days
       FROM subscriptions s JOIN orders o ON o.user_id = s.user_id WHERE o.out_trade_no = $1`,
    outTradeNo,
  )

/** What came in and did not go back, from so many days until today in China, by the database itself. */
export async function netWithin(days: number): Promise<number> {
  const within = (time: string) =>
    `(${time} AT TIME ZONE 'Asia/Shanghai')::date > (business_now() AT TIME ZONE 'Asia/Shanghai')::date - $1::int`
  const { fen } = await askOne<{ fen: number }>(
    `SELECT (SELECT coalesce(sum(amount_fen), 0) FROM orders WHERE ${within('paid_at')})::float8
          - (SELECT coalesce(sum(amount_fen), 0) FROM refunds WHERE ${within('succeeded_at')})::float8 AS fen`,
    `${days}`,
  )
  return fen
}

/** The id under which the inbox keeps what the platform said of an order; waits until it does. */
export async function keptNotification(outTradeNo: string): Promise<string> {
  for (let turn = 0; turn < 100; turn++) {
    const [kept] = await ask<{ id: string }>(
      'SELECT n.id FROM pg_sleep(0.1), notifications n WHERE n.out_trade_no = $1',
      [outTradeNo],
    )
    if (kept) return kept.id
  }
  throw new Error(`The platform said nothing of ${outTradeNo}`)
}

/**
 * Every paid order of a user, newest first, in the words of the Chinese file that may leave the console: of one who has
 * refunded nothing and whose orders are in no bill yet.
 */
export async function paidOrdersAsLines(userId: string): Promise<string[][]> {
  const yuan = (fen: string) => `to_char(${fen} / 100.0, 'FM9999990.00')`
  const moment = (time: string) => `to_char(${time} AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS')`
  const yesNo = (fact: string) => `CASE WHEN ${fact} THEN '是' ELSE '否' END`
  const id = (value: string) => `'="' || ${value} || '"'`
  const rows = await ask<{ line: string[] }>(
    `SELECT json_build_array(${id('out_trade_no')}, '已支付', plan_code, plan_name, ${yuan('amount_fen')},
            ${yuan('refunded_fen')}, ${id('user_id')}, ${id('transaction_id')},
            CASE confirmed_by WHEN 'notification' THEN '支付通知' WHEN 'sync' THEN '用户同步' WHEN 'sweep' THEN '自动检查'
              WHEN 'bill' THEN '对账单' WHEN 'admin_sync' THEN '控制台同步' WHEN 'replay' THEN '通知重放' END, ${yesNo('late')}, ${yesNo('parked')},
            ${moment('created_at')}, ${moment('paid_at')},
            CASE channel WHEN 'jsapi' THEN '微信支付' ELSE '虚拟支付' END, coalesce(
              (SELECT string_agg(t.label, ', ' ORDER BY t.archived_at IS NOT NULL, lower(t.label), t.id)
               FROM taggings g JOIN tags t ON t.id = g.tag_id WHERE g.subject_kind = 'order' AND g.subject_id = out_trade_no), ''),
            ${yuan('(amount_fen - refunded_fen)')}, '') AS line
       FROM orders WHERE status = 'paid' AND user_id = $1 ORDER BY created_at DESC, id DESC`,
    [userId],
  )
  return rows.map(({ line }) => line)
}

/** How many orders each tab of the list is to count, by the database itself. */
export async function countedOrders(): Promise<Record<string, number>> {
  const [counted] = await ask<Record<string, number>>(
    `SELECT count(*)::int AS "全部",
        (count(*) FILTER (WHERE status = 'prepay'))::int AS "待支付",
        (count(*) FILTER (WHERE status = 'paid'))::int AS "已支付",
        (count(*) FILTER (WHERE parked))::int AS "暂停处理",
        (count(*) FILTER (WHERE EXISTS (SELECT FROM refunds r WHERE r.order_id = o.id
          AND r.status IN ('requested', 'approved', 'processing', 'abnormal'))))::int AS "退款中"
      FROM orders o`,
  )
  return counted ?? {}
}

/** As if the invariants had found fault with a paid order: nothing automatic happens to it. */
export const parkOrder = (outTradeNo: string, reason = 'refunded_more_than_paid') =>
  ask('UPDATE orders SET parked = true, park_reason = $2 WHERE out_trade_no = $1', [outTradeNo, reason])

/** As if the database had lost an order for a while, as after a restore; answers how it comes back. */
export async function forgetOrder(outTradeNo: string): Promise<() => Promise<unknown>> {
  const elsewhere = `M9${outTradeNo.slice(2)}`
  const rename = (from: string, to: string) =>
    rewrite(`UPDATE orders SET out_trade_no = '${to}' WHERE out_trade_no = '${from}'`)
  await rename(outTradeNo, elsewhere)
  return () => rename(elsewhere, outTradeNo)
}

/** What happens to a payment that comes too late. */
export const setLatePolicy = (policy: 'activate' | 'ask') =>
  ask(`UPDATE settings SET value = to_jsonb($1::text) WHERE key = 'late_payment_policy'`, [policy])
