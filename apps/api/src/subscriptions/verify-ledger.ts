import { column, execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { utcJsonTextSql } from '../platform/time/utc-text.ts'

const ledgerDifferenceColumns = { userId: column.text, what: column.text }
export type LedgerDifference = RowOf<typeof ledgerDifferenceColumns>

/** Written as the grant itself writes it: what is compared is the text. */
const clockSql = Prisma.sql`greatest(g.effective_at,
  greatest(g.effective_at, (w.clocks ->> feature)::timestamptz) + g.days * interval '24 hours')`

/**
 * Recomputes every subscription from its grants by the rule of days and compares it with what is stored: the end,
 * the sequence, each feature's clock. With `since`, only those that got a grant since then. Answers each difference;
 * there should never be one.
 */
export async function verifyLedger(
  pool: Pool,
  { since }: { since?: Date } = {},
): Promise<{ checked: number; differences: LedgerDifference[] }> {
  const [total] = await execute(
    pool,
    query(null, Prisma.sql`SELECT count(*)::int AS checked FROM subscriptions`, { checked: column.number }),
  )
  const differences = await execute(
    pool,
    query(
      null,
      Prisma.sql`
      WITH RECURSIVE walked AS (
        SELECT user_id, 0 AS seq, NULL::timestamptz AS expires_at, '{}'::jsonb AS clocks FROM subscriptions
        WHERE ${since ?? null}::timestamptz IS NULL OR user_id IN (SELECT user_id FROM grants WHERE created_at > ${since ?? null})
        UNION ALL
        SELECT w.user_id, g.seq,
          greatest(g.effective_at, greatest(g.effective_at, w.expires_at) + g.days * interval '24 hours'),
          w.clocks || coalesce((
            SELECT jsonb_object_agg(feature, ${utcJsonTextSql(clockSql)})
            FROM unnest(g.features) feature), '{}')
        FROM walked w JOIN grants g ON g.user_id = w.user_id AND g.seq = w.seq + 1),
      ended AS (SELECT DISTINCT ON (user_id) * FROM walked ORDER BY user_id, seq DESC)
      SELECT s.user_id AS "userId", 'stored ' || concat_ws(' ', s.seq, s.expires_at, s.feature_expires_at)
          || ', recomputed ' || concat_ws(' ', e.seq, e.expires_at, e.clocks) AS what
      FROM subscriptions s JOIN ended e USING (user_id)
      WHERE (s.seq, s.expires_at, s.feature_expires_at) IS DISTINCT FROM (e.seq, e.expires_at, e.clocks)
        OR s.seq <> (SELECT count(*) FROM grants g WHERE g.user_id = s.user_id)`,
      ledgerDifferenceColumns,
    ),
  )
  return { checked: total?.checked ?? 0, differences }
}

/** Purchase grants whose payment was made on another platform than these: one of each channel. */
export const findForeignGrants = (
  pool: Pool,
  platformHosts: readonly string[],
): Promise<LedgerDifference[]> =>
  execute(
    pool,
    query(
      null,
      Prisma.sql`
      SELECT user_id AS "userId", 'grant ' || seq || ' was paid on ' || platform_host AS what
      FROM grants WHERE kind = 'purchase' AND platform_host <> ALL(${[...platformHosts]}::text[])`,
      ledgerDifferenceColumns,
    ),
  )
