import { randomUUID } from 'node:crypto'
import type { TestWorld } from './test-world.ts'

export type PlantedOrders = {
  count: number
  /** A person who exists already; a new one when absent. */
  openid?: string
  /** How long ago the newest of them was made, as an interval of PostgreSQL. */
  ago?: string
  /** How many orders share one instant: equal sort keys are what paging must survive. */
  together?: number
  status?: 'created' | 'closed'
  planCode?: string
  /** An SQL expression of `n`, the number of the order from 1 on. */
  amountFen?: string
  /** The key of a purchase whose call is still at work. */
  keyInFlight?: string
}

/** Unpaid orders as many as wanted, in one statement; answers their numbers, newest first. */
export async function plantOrders(world: TestWorld, wanted: PlantedOrders): Promise<string[]> {
  const { count, openid = `o${randomUUID()}`, ago = '1 minute', together = 1 } = wanted
  const { status = 'created', planCode = 'monthly', amountFen = '2900', keyInFlight = null } = wanted
  await world.query('INSERT INTO users (id, openid) VALUES ($1, $2) ON CONFLICT (openid) DO NOTHING', [
    randomUUID(),
    openid,
  ])
  const rows = await world.query<{ out_trade_no: string }>(
    `WITH planted AS (
       INSERT INTO orders (out_trade_no, user_id, status, plan_code, plan_name, duration_days, features, amount_fen,
         payer_openid, app_id, mch_id, platform_host, created_at, expires_at, closed_at, close_reason,
         idempotency_key, prepay_leased_until)
       SELECT 'M' || upper(left(md5(random()::text || n), 26)), u.id, $2::order_status, $3, $3, 30, '{}', ${amountFen},
         u.openid, 'wx0', '19', 'localhost', made.at, made.at + interval '30 minutes',
         CASE WHEN $2 = 'closed' THEN made.at END, CASE WHEN $2 = 'closed' THEN 'expired'::close_reason END,
         $7, CASE WHEN $7::text IS NOT NULL THEN business_now() + interval '1 minute' END
       FROM users u, generate_series(1, $4::int) n,
         LATERAL (SELECT business_now() - $5::interval - (($4::int - n) / $6::int) * interval '1 second' AS at) made
       WHERE u.openid = $1
       RETURNING id, created_at, out_trade_no)
     SELECT out_trade_no FROM planted ORDER BY created_at DESC, id DESC`,
    [openid, status, planCode, count, ago, together, keyInFlight],
  )
  return rows.map(({ out_trade_no }) => out_trade_no)
}
