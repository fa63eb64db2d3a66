import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import type { ObservationKind } from './observations.ts'

/** How often something was seen lately, from the first to the last of these in ms, and when last within the day that is kept. */
export type Seen = { recent: number; recentMs: number; lastAt: Date | null }

const seenColumns = {
  kind: column.text,
  recent: column.integer,
  recentMs: column.integer,
  lastAt: column.instant,
}

/** What all processes together saw of these kinds: how often since `since`, and when last. */
export async function readObservations<Kind extends ObservationKind>(
  pool: Pool,
  kinds: readonly Kind[],
  { since, until }: { since: Date; until: Date },
): Promise<(kind: Kind) => Seen> {
  const rows = await execute(
    pool,
    query(
      null,
      Prisma.sql`
      SELECT kind, coalesce(sum(count) FILTER (WHERE at > ${since}::timestamptz), 0)::int AS recent, max(at) AS "lastAt",
        coalesce(extract(epoch FROM max(at) - min(at) FILTER (WHERE at > ${since}::timestamptz)) * 1000, 0)::int AS "recentMs"
      FROM observation_counts WHERE kind = ANY(${[...kinds]}::text[]) AND at <= ${until}::timestamptz
      GROUP BY kind`,
      seenColumns,
    ),
  )
  return (kind) => rows.find((row) => row.kind === kind) ?? { recent: 0, recentMs: 0, lastAt: null }
}

/** Whether one was last seen after the other was, or the other never. */
export const isLater = (one: Seen, other: Seen): boolean =>
  one.lastAt !== null && (other.lastAt === null || one.lastAt > other.lastAt)
