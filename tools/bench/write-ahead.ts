import type { Pool } from '@meridian/db'

/** What was written to the write-ahead log, and which rows were changed, up to a moment. */
export type Written = { bytes: number; fullPages: number; entries: number }

/**
 * An entry for each index of a table goes with every inserted row and with every update that is not heap-only; those of
 * partial indexes count too, so that it is an upper bound.
 */
const standing = `
  SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS bytes, w.wal_fpi::float8 AS "fullPages", (
      SELECT coalesce(sum((t.n_tup_ins + t.n_tup_upd - t.n_tup_hot_upd) * (
        SELECT count(*) FROM pg_index i WHERE i.indrelid = t.relid)), 0)::float8
      FROM pg_stat_user_tables t) AS entries
  FROM pg_stat_wal w`

/** Whoever wrote must have closed its connections: only then are their figures complete. */
export async function readWritten(pool: Pool): Promise<Written> {
  const { rows } = await pool.query<Written>(standing)
  return rows[0] ?? { bytes: Number.NaN, fullPages: Number.NaN, entries: Number.NaN }
}

/** What one of `count` things wrote. */
export const writtenPer = (count: number, before: Written, after: Written): Written => ({
  bytes: (after.bytes - before.bytes) / count,
  fullPages: (after.fullPages - before.fullPages) / count,
  entries: (after.entries - before.entries) / count,
})

/** Runs something while no page is written to the log as a whole: what is left is the size of the changes. */
export async function withoutFullPages<Result>(pool: Pool, run: () => Promise<Result>): Promise<Result> {
  const set = async (change: string) => {
    await pool.query(`ALTER SYSTEM ${change}`)
    await pool.query('SELECT pg_reload_conf()')
  }
  await set('SET full_page_writes = off')
  try {
    return await run()
  } finally {
    await set('RESET full_page_writes')
  }
}
