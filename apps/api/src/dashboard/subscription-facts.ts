import { type PoolClient, Prisma } from '@meridian/db'
import { readWatermark } from '../platform/database/watermark.ts'

const { sql } = Prisma

export const hourOfSql = (instant: Prisma.Sql): Prisma.Sql => sql`date_trunc('hour', ${instant}, 'UTC')`

/**
 * What the grants after one line, up to another, add to the subscriptions that begin and end in an hour: a relation with
 * `hour` and the sums. A grant says when a subscription ended before it and when it ends after, so that what all
 * subscriptions amount to is a sum over the ledger, to which each new line is added once.
 */
export const factsOfGrantsSql = (after: bigint, until: bigint | null): Prisma.Sql => sql`(
  SELECT f.hour, sum(f.begun)::bigint AS begun, sum(f.ends)::bigint AS ends
  FROM grants g CROSS JOIN LATERAL (VALUES (${hourOfSql(sql`g.expires_after`)}, 0, 1), (${hourOfSql(sql`g.expires_before`)}, 0, -1),
    (CASE WHEN g.seq = 1 THEN ${hourOfSql(sql`g.effective_at`)} END, 1, 0)) f (hour, begun, ends)
  WHERE g.id > ${after} AND g.id <= coalesce(${until}, 9223372036854775807) AND f.hour IS NOT NULL GROUP BY 1)`

/** The same of all grants, as of this very moment; those of one hour are to be added. Inside a transaction with one snapshot. */
export async function subscriptionFactsSql(client: PoolClient): Promise<Prisma.Sql> {
  const { lineId } = await readWatermark(client, 'subscription_sums')
  return sql`(
    SELECT hour, begun, ends FROM subscription_hour_sums
    UNION ALL SELECT hour, begun, ends FROM ${factsOfGrantsSql(lineId, null)} live)`
}
