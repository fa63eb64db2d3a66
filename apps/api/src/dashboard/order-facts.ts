import { column, execute, type PoolClient, Prisma, query } from '@meridian/db'
import { readWatermark, type Watermark } from '../platform/database/watermark.ts'

const { sql } = Prisma

/** So many orders with neighbouring ids are added up together. What is stored was added up so: it never changes. */
const blockSizeSql = Prisma.raw('1000::bigint')

const dayOfSql = (instant: Prisma.Sql): Prisma.Sql => sql`(${instant} AT TIME ZONE 'Asia/Shanghai')::date`

/** What identifies a sum, but for its block. */
export const sumKeySql = sql`fact, day, channel, key`
/** What is added up. */
export const sumsSql = sql`orders, prepay, paid, fen`

// The ids of a block are a range, so that its orders are read out of the primary key, and no other index is needed.
const ofBlock = (id: Prisma.Sql): Prisma.Sql =>
  sql`${id} >= b.block * ${blockSizeSql} AND ${id} < (b.block + 1) * ${blockSizeSql}`

/**
 * What these blocks add up to as their orders and refunds stand now: a relation with `block`, the key and the sums.
 * Each order was made on a day; on a day it was paid, however much later; on others it was refunded. An order of another
 * system is none of our sales; its refund counts, because the money left our account.
 */
export const factsOfBlocksSql = (blocks: readonly bigint[]): Prisma.Sql => sql`(
  SELECT b.block, f.fact::order_fact AS fact, f.day, o.channel, f.key, count(*) AS orders, count(o.prepay_expires_at) AS prepay,
    count(o.paid_at) AS paid, sum(o.amount_fen) AS fen
  FROM unnest(${[...blocks]}::bigint[]) b (block)
    CROSS JOIN LATERAL (SELECT * FROM orders WHERE ${ofBlock(sql`id`)} AND NOT imported) o
    CROSS JOIN LATERAL (VALUES ('created', ${dayOfSql(sql`o.created_at`)}, o.status::text),
      ('paid', ${dayOfSql(sql`o.paid_at`)}, coalesce(o.confirmed_by::text, ''))) f (fact, day, key)
  WHERE f.day IS NOT NULL GROUP BY 1, 2, 3, 4, 5
  UNION ALL
  SELECT b.block, 'refunded'::order_fact, ${dayOfSql(sql`r.succeeded_at`)}, o.channel, '', count(*), 0, 0, sum(r.amount_fen)
  FROM unnest(${[...blocks]}::bigint[]) b (block)
    CROSS JOIN LATERAL (SELECT * FROM refunds WHERE ${ofBlock(sql`order_id`)}) r JOIN orders o ON o.id = r.order_id
  WHERE r.succeeded_at IS NOT NULL AND r.second_payment_id IS NULL GROUP BY 1, 3, 4)`

/** Without a name: with the numbers before it the planner knows how few lines or blocks these are. */
async function readBlocks(client: PoolClient, blocks: Prisma.Sql): Promise<bigint[]> {
  const rows = await execute(client, query(null, blocks, { block: column.bigint }))
  return rows.map(({ block }) => block)
}

/** The blocks of which an order was touched by a line of the timeline after the watermark, up to `until`. */
export const findTouchedBlocks = (
  client: PoolClient,
  { lineId, next }: Watermark,
  until: bigint | null,
): Promise<bigint[]> =>
  readBlocks(
    client,
    sql`
      SELECT DISTINCT order_id / ${blockSizeSql} AS block FROM order_events
      WHERE id > ${lineId} AND id <= coalesce(${until}, 9223372036854775807) AND order_id < ${next} * ${blockSizeSql}`,
  )

/** Blocks that were never added up, from the watermark on: so many at most. */
export const findNewBlocks = (
  client: PoolClient,
  { next }: Watermark,
  most: number | null,
): Promise<bigint[]> =>
  readBlocks(
    client,
    sql`
      SELECT generate_series(${next}::bigint, (SELECT max(id) FROM orders) / ${blockSizeSql}) AS block ORDER BY 1 LIMIT ${most}`,
  )

type Days = { from: string; to: string }

/**
 * What orders add up to on these days, as of this very moment: a relation with the key and the sums, of which those of
 * one key are to be added. The stored sums of all blocks, without those of the blocks whose orders were touched since,
 * and these as they stand. Every line of an order, and every refund that succeeds, is one of the timeline in the same
 * commit, whatever day it changes. Inside a transaction with one snapshot.
 */
export async function orderFactsSql(client: PoolClient, { from, to }: Days): Promise<Prisma.Sql> {
  const mark = await readWatermark(client, 'order_sums')
  const stale = [
    ...(await findTouchedBlocks(client, mark, null)),
    ...(await findNewBlocks(client, mark, null)),
  ]
  const within = sql`day BETWEEN ${from}::date AND ${to}::date`
  return sql`(
    SELECT ${sumKeySql}, ${sumsSql} FROM order_day_sums WHERE ${within}
    UNION ALL
    SELECT ${sumKeySql}, -orders, -prepay, -paid, -fen FROM order_block_sums WHERE block = ANY(${stale}::bigint[]) AND ${within}
    UNION ALL
    SELECT ${sumKeySql}, ${sumsSql} FROM ${factsOfBlocksSql(stale)} live WHERE ${within})`
}
