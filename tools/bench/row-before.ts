import { toCursor } from '../../apps/api/src/platform/paging/keyset.ts'
import type { BenchWorld } from './open-world.ts'

const deepPage = 10_000
export const pageSize = 20

/** A row of a list, by what its page goes on from and by what it is searched. */
export type Position = {
  createdAt: string
  id: string
  outTradeNo: string
  transactionId: string | null
  userId: string
}

const positions = {
  orders: `created_at::text AS "createdAt", id::text AS id, out_trade_no AS "outTradeNo",
    transaction_id AS "transactionId", user_id AS "userId"`,
  reports: `started_at::text AS "createdAt", id::text AS id, '' AS "outTradeNo", NULL AS "transactionId", user_id AS "userId"`,
  taggings: `subject_created_at::text AS "createdAt", subject_id AS id, subject_id AS "outTradeNo", NULL AS "transactionId", user_id AS "userId"`,
  users: `created_at::text AS "createdAt", id::text AS id, '' AS "outTradeNo", NULL AS "transactionId", id AS "userId"`,
} as const

/** The lists that are read at depth. */
export type DeepTable = keyof typeof positions

/** The row that ends page 9,999, or the last page but one of what there is. */
export async function rowBefore(
  { services }: BenchWorld,
  table: DeepTable,
  where: string,
): Promise<Position> {
  const { rows } = await services.database.pool.query<Position>(
    `SELECT ${positions[table]} FROM ${table} WHERE ${where} ORDER BY 1 DESC, 2 DESC
     OFFSET least($1::int, (SELECT count(*) FROM ${table} WHERE ${where}) - 2 * ${pageSize}) LIMIT 1`,
    [(deepPage - 1) * pageSize - 1],
  )
  const [row] = rows
  if (!row) throw new Error('the past has no such row')
  return row
}

/** Where the page behind this row begins. */
export const cursorAfter = ({ createdAt, id }: Position) => toCursor([createdAt, id])
