import { execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { findSettledLine, lockWatermark, moveWatermark } from '../platform/database/watermark.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import { factsOfGrantsSql } from './subscription-facts.ts'

const linesAtOnce = 100_000n

/** Takes in a bounded number of grants. Answers whether more wait. */
async function addUpSome(client: PoolClient, settled: bigint): Promise<boolean> {
  const mark = await lockWatermark(client, 'subscription_sums')
  if (mark.lineId >= settled) return false
  const until = mark.lineId + linesAtOnce < settled ? mark.lineId + linesAtOnce : settled
  await execute(
    client,
    query(
      null,
      Prisma.sql`
      INSERT INTO subscription_hour_sums AS s (hour, begun, ends)
      SELECT hour, begun, ends FROM ${factsOfGrantsSql(mark.lineId, until)} facts
      ON CONFLICT (hour) DO UPDATE SET begun = s.begun + excluded.begun, ends = s.ends + excluded.ends`,
    ),
  )
  await moveWatermark(client, 'subscription_sums', { ...mark, lineId: until })
  return until < settled
}

/** Adds the grants written since to the sums of subscriptions by hour, each once; whoever asks meanwhile adds them too. */
export async function addUpSubscriptions(pool: Pool): Promise<void> {
  const settled = await findSettledLine(pool, 'grants')
  if (settled === null) return
  for (let more = true; more; ) more = await inTransaction(pool, (client) => addUpSome(client, settled))
}
