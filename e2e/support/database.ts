import { openDatabase } from '@meridian/db'
import { world } from './world.ts'

export type StoredOrder = {
  status: string
  confirmed_by: string | null
  amount_fen: number
  transaction_id: string | null
  grants: number
  granted_days: number
  events: string[]
}

/** What the database itself holds about an order, whatever any screen says. */
export async function storedOrder(outTradeNo: string): Promise<StoredOrder> {
  await using database = openDatabase(world().databaseUrl, {
    applicationName: 'meridian-e2e',
    maxConnections: 1,
  })
  const { rows } = await database.pool.query<StoredOrder>(
    `SELECT o.status, o.confirmed_by, o.amount_fen::int, o.transaction_id,
            (SELECT count(*)::int FROM grants g WHERE g.order_id = o.id) AS grants,
            (SELECT coalesce(sum(g.days), 0)::int FROM grants g WHERE g.order_id = o.id) AS granted_days,
            (SELECT array_agg(e.kind::text ORDER BY e.id) FROM order_events e WHERE e.order_id = o.id) AS events
       FROM orders o WHERE o.out_trade_no = $1`,
    [outTradeNo],
  )
  const [order] = rows
  if (order === undefined) throw new Error(`There is no order ${outTradeNo}`)
  return order
}
