import { execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import {
  findSettledLine,
  lockWatermark,
  moveWatermark,
  type Watermark,
} from '../platform/database/watermark.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { factsOfBlocksSql, findNewBlocks, findTouchedBlocks, sumKeySql, sumsSql } from './order-facts.ts'

const { sql } = Prisma

/** Of one transaction: so many lines of the timeline, and so many blocks that were never added up. */
const linesAtOnce = 50_000n
const newBlocksAtOnce = 100

/** Adds what a part `changed` of a statement answers to the sums of days. */
const addToDaysSql = (sign: Prisma.Sql): Prisma.Sql => sql`
  INSERT INTO order_day_sums AS d (${sumKeySql}, ${sumsSql})
  SELECT ${sumKeySql}, ${sign}sum(orders), ${sign}sum(prepay), ${sign}sum(paid), ${sign}sum(fen) FROM changed GROUP BY ${sumKeySql}
  ON CONFLICT (${sumKeySql}) DO UPDATE SET orders = d.orders + excluded.orders, prepay = d.prepay + excluded.prepay,
    paid = d.paid + excluded.paid, fen = d.fen + excluded.fen`

async function addUpBlocks(client: PoolClient, blocks: readonly bigint[]): Promise<void> {
  await execute(
    client,
    query(
      'drop-block-sums',
      sql`
      WITH changed AS (
        DELETE FROM order_block_sums WHERE block = ANY(${[...blocks]}::bigint[]) RETURNING ${sumKeySql}, ${sumsSql})
      ${addToDaysSql(sql`-`)}`,
    ),
  )
  await execute(
    client,
    query(
      'add-up-blocks',
      sql`
      WITH changed AS (
        INSERT INTO order_block_sums (block, ${sumKeySql}, ${sumsSql})
        SELECT block, ${sumKeySql}, ${sumsSql} FROM ${factsOfBlocksSql(blocks)} facts RETURNING ${sumKeySql}, ${sumsSql})
      ${addToDaysSql(Prisma.empty)}`,
    ),
  )
}

const least = (one: bigint, other: bigint) => (one < other ? one : other)

/** Takes in a bounded number of lines and new blocks. Answers whether more wait. */
async function addUpSome(client: PoolClient, settled: bigint): Promise<boolean> {
  const mark = await lockWatermark(client, 'order_sums')
  // What was never added up has no line to be told of: what is read now holds all that were written before.
  const until = mark.next === 0n ? settled : least(settled, mark.lineId + linesAtOnce)
  const touched = mark.next === 0n ? [] : await findTouchedBlocks(client, mark, until)
  const added = await findNewBlocks(client, mark, newBlocksAtOnce)
  await addUpBlocks(client, [...touched, ...added])
  const reached: Watermark = { ...mark, lineId: until, next: mark.next + BigInt(added.length) }
  if (until > mark.lineId || added.length > 0) await moveWatermark(client, 'order_sums', reached)
  return until < settled || added.length === newBlocksAtOnce
}

/**
 * Brings the sums of orders by day up to date: adds up anew the blocks of which an order was touched since, and those
 * that are new. What is left when it is stopped is taken in by the next run, and by whoever asks meanwhile.
 */
export async function addUpOrders(pool: Pool): Promise<void> {
  const settled = await findSettledLine(pool, 'order_events')
  if (settled === null) return
  for (let more = true; more; ) more = await inTransaction(pool, (client) => addUpSome(client, settled))
}
