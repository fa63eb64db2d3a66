import { column, execute, type Pool, Prisma, query, type RowOf } from '@meridian/db'

const positionColumns = {
  /** Which cluster it is; empty where the server does not tell. */
  system: column.text,
  /** Grows by one with each promotion, and with each restore to a point in time. */
  timeline: column.integer,
  /** How many bytes of the write-ahead log are on disk, from the first on: exact up to 8 PiB. */
  walBytes: column.real,
  startedAt: column.instant,
}

/** How far the database that takes our writes has come. */
export type Position = RowOf<typeof positionColumns>

const positionSql = (system: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT ${system} AS system, ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int AS timeline,
    (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::float8 AS "walBytes",
    pg_postmaster_start_time() AS "startedAt"
  WHERE NOT pg_is_in_recovery()`

const namedSql = positionSql(Prisma.sql`(SELECT system_identifier::text FROM pg_control_system())`)
const namelessSql = positionSql(Prisma.sql`''::text`)

const isForbidden = (error: unknown) => error instanceof Error && 'code' in error && error.code === '42501'

/**
 * Does what needs the position, given as a relation of system, timeline and "walBytes" that has no row while the server
 * is a standby. Where the server forbids to ask which cluster it is (some clouds do), the system is empty.
 */
export async function withPosition<Result>(work: (position: Prisma.Sql) => Promise<Result>): Promise<Result> {
  try {
    return await work(namedSql)
  } catch (error) {
    if (!isForbidden(error)) throw error
    return work(namelessSql)
  }
}

/** Where the database is now; null while the server is a standby. */
export async function readPosition(pool: Pool): Promise<Position | null> {
  const rows = await withPosition((position) => execute(pool, query(null, position, positionColumns)))
  return rows[0] ?? null
}

/**
 * Whether what was committed at `earlier` may be missing at `now`: a new leader or a restore begins a new timeline, and a
 * data directory that was put back is at an earlier position of its own, unless its start wrote more than was lost.
 */
export const wentBack = (earlier: Position, now: Position): boolean =>
  now.system !== earlier.system || now.timeline !== earlier.timeline || now.walBytes < earlier.walBytes
