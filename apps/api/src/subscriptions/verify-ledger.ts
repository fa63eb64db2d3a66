import { column, execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'
import { utcJsonTextSql } from '../platform/time/utc-text.ts'

const { sql } = Prisma

const ledgerDifferenceColumns = { userId: column.text, what: column.text }
export type LedgerDifference = RowOf<typeof ledgerDifferenceColumns>

/** Written as the grant itself writes it: what is compared is the text. */
const clockSql = sql`greatest(g.effective_at,
  greatest(g.effective_at, (w.clocks ->> feature)::timestamptz) + g.days * interval '24 hours')`

// The next line of each is found by its index: to join all that are walked would read the whole ledger in each step.
/**
 * Recomputes the subscriptions of these users from their grants by the rule of days and compares them with what is
 * stored: the end, the sequence, each feature's clock. Answers each difference; there should never be one.
 */
export const verifyLedgersOf = (pool: Pool, userIds: readonly string[]): Promise<LedgerDifference[]> =>
  execute(
    pool,
    query(
      'verify-ledgers',
      sql`
      WITH RECURSIVE walked AS (
        SELECT user_id, 0 AS seq, NULL::timestamptz AS expires_at, '{}'::jsonb AS clocks FROM subscriptions
        WHERE user_id = ANY(${[...userIds]}::uuid[])
        UNION ALL
        SELECT w.user_id, g.seq,
          greatest(g.effective_at, greatest(g.effective_at, w.expires_at) + g.days * interval '24 hours'),
          w.clocks || coalesce((
            SELECT jsonb_object_agg(feature, ${utcJsonTextSql(clockSql)})
            FROM unnest(g.features) feature), '{}')
        FROM walked w CROSS JOIN LATERAL (
          SELECT * FROM grants WHERE user_id = w.user_id AND seq = w.seq + 1 LIMIT 1) g),
      ended AS (SELECT DISTINCT ON (user_id) * FROM walked ORDER BY user_id, seq DESC)
      SELECT s.user_id AS "userId", 'stored ' || concat_ws(' ', s.seq, s.expires_at, s.feature_expires_at)
          || ', recomputed ' || concat_ws(' ', e.seq, e.expires_at, e.clocks) AS what
      FROM subscriptions s JOIN ended e USING (user_id)
      WHERE (s.seq, s.expires_at, s.feature_expires_at) IS DISTINCT FROM (e.seq, e.expires_at, e.clocks)
        OR s.seq <> (SELECT count(*) FROM grants g WHERE g.user_id = s.user_id)`,
      ledgerDifferenceColumns,
    ),
  )

/** Who has a subscription, in the order of their ids, behind this one: so many at most. */
export async function findSubscribers(pool: Pool, after: string | null, most: number): Promise<string[]> {
  const rows = await execute(
    pool,
    query(
      'subscribers-after',
      sql`
      SELECT user_id AS "userId" FROM subscriptions
      WHERE user_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000') ORDER BY user_id LIMIT ${most}`,
      { userId: column.text },
    ),
  )
  return rows.map(({ userId }) => userId)
}

const usersAtOnce = 1000

export type LedgerProgress = { checked: number; lastUserId: string; differences: LedgerDifference[] }

type Verifying = {
  /** Goes on behind the user whom an earlier run named last. */
  after?: string | null
  atOnce?: number
  /** Is told what each part of the users gave. */
  tell?: (progress: LedgerProgress) => void
}

/** The same for everybody, part by part in the order of their ids: what it takes grows with the ledger and nothing else. */
export async function verifyLedger(
  pool: Pool,
  { after = null, atOnce = usersAtOnce, tell = () => undefined }: Verifying = {},
): Promise<{ checked: number; differences: LedgerDifference[] }> {
  const all: LedgerDifference[] = []
  let checked = 0
  let last = after
  for (;;) {
    const userIds = await findSubscribers(pool, last, atOnce)
    const lastUserId = userIds.at(-1)
    if (lastUserId === undefined) return { checked, differences: all }
    const differences = await verifyLedgersOf(pool, userIds)
    all.push(...differences)
    checked += userIds.length
    last = lastUserId
    tell({ checked, lastUserId, differences })
  }
}

/** Purchase grants whose payment was made on another platform than these, one of each channel; imported ones never were here. */
export const findForeignGrants = (
  pool: Pool,
  platformHosts: readonly string[],
): Promise<LedgerDifference[]> =>
  execute(
    pool,
    query(
      null,
      sql`
      SELECT user_id AS "userId", 'grant ' || seq || ' was paid on ' || platform_host AS what
      FROM grants g WHERE kind = 'purchase' AND platform_host <> ALL(${[...platformHosts]}::text[])
        AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = g.order_id AND o.imported)`,
      ledgerDifferenceColumns,
    ),
  )
