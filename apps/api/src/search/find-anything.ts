import type { SearchHit } from '@meridian/contracts'
import { type Pool, Prisma, run } from '@meridian/db'
import { z } from 'zod'

const { sql } = Prisma

type OrderHit = Extract<SearchHit, { kind: 'order' }>
type UserHit = Extract<SearchHit, { kind: 'user' }>
type DeviceHit = Extract<SearchHit, { kind: 'device' }>

const orderColumns = sql`
  'order' AS kind, out_trade_no AS "outTradeNo", status, amount_fen AS "amountFen", plan_name AS "planName"`

const newestOrders = 5

async function findUser(pool: Pool, userId: string): Promise<SearchHit[]> {
  const [users, orders] = await Promise.all([
    run<UserHit>(
      pool,
      'search-user',
      sql`SELECT 'user' AS kind, id AS "userId", disabled_at IS NOT NULL AS "isDisabled"
            FROM users WHERE id = ${userId}::uuid`,
    ),
    run<OrderHit>(
      pool,
      'search-orders-of-user',
      sql`SELECT ${orderColumns} FROM orders WHERE user_id = ${userId}::uuid
           ORDER BY created_at DESC, id DESC LIMIT ${newestOrders}`,
    ),
  ])
  return [...users, ...orders]
}

async function findByNumber(pool: Pool, text: string): Promise<SearchHit[]> {
  const number = text.toUpperCase()
  const [orders, devices] = await Promise.all([
    run<OrderHit>(
      pool,
      'search-order',
      sql`SELECT ${orderColumns} FROM orders WHERE out_trade_no = ${number}
          UNION ALL
          SELECT ${orderColumns} FROM orders WHERE transaction_id = ${text}`,
    ),
    run<DeviceHit>(
      pool,
      'search-device',
      sql`SELECT 'device' AS kind, serial_number AS "serialNumber", model
            FROM devices WHERE serial_number = ${number}`,
    ),
  ])
  return [...orders, ...devices]
}

/**
 * What an id leads to: an order by its number or the platform's, a user by their id with their newest orders, a device
 * by its serial number. Each is one look into a unique index.
 */
export const findAnything = (pool: Pool, text: string): Promise<SearchHit[]> =>
  z.uuid().safeParse(text).success ? findUser(pool, text.toLowerCase()) : findByNumber(pool, text)
