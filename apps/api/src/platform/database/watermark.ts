import { setTimeout as pause } from 'node:timers/promises'
import {
  type Connection,
  column,
  execute,
  nullable,
  type Pool,
  type PoolClient,
  Prisma,
  query,
} from '@meridian/db'

const { sql } = Prisma

/** Tables of which rows are only ever added, numbered as they are written. */
export type AppendOnly = 'order_events' | 'grants' | 'outbox_lines'

export type Watermark = {
  /** The last line of an append-only table that was taken in: none before it is missing. */
  lineId: bigint
  /** The first thing, of those taken in turn, that was not taken yet. */
  next: bigint
  /** The same of what has no numbers: the last that was taken. */
  after: string | null
}

export type WatermarkName =
  | 'order_sums'
  | 'subscription_sums'
  | 'invariants'
  | 'ledgers'
  | 'account_grants'
  | 'account_events'
  | 'told_orders'
  | 'told_subscriptions'
  | 'told_others'

const columns = { lineId: column.bigint, next: column.bigint, after: nullable(column.text) }
const start: Watermark = { lineId: 0n, next: 0n, after: null }
const watermarkSql = (name: WatermarkName): Prisma.Sql =>
  sql`SELECT line_id AS "lineId", next, after FROM watermarks WHERE name = ${name}`

/** How far the job of this name has come. */
export async function readWatermark(db: Connection, name: WatermarkName): Promise<Watermark> {
  const [found] = await execute(db, query('read-watermark', watermarkSql(name), columns))
  return found ?? start
}

/** The same, locked until the transaction ends: two that go on from one place would take things in twice. */
export async function lockWatermark(client: PoolClient, name: WatermarkName): Promise<Watermark> {
  await execute(
    client,
    query('make-watermark', sql`INSERT INTO watermarks (name) VALUES (${name}) ON CONFLICT DO NOTHING`),
  )
  const [found] = await execute(
    client,
    query('lock-watermark', sql`${watermarkSql(name)} FOR UPDATE`, columns),
  )
  return found ?? start
}

export const moveWatermark = (db: Connection, name: WatermarkName, to: Watermark): Promise<unknown> =>
  execute(
    db,
    query(
      'move-watermark',
      sql`
      INSERT INTO watermarks (name, line_id, next, after) VALUES (${name}, ${to.lineId}, ${to.next}, ${to.after}::uuid)
      ON CONFLICT (name) DO UPDATE SET line_id = excluded.line_id, next = excluded.next, after = excluded.after`,
    ),
  )

const lookAgainMs = 20
const mostWaitedMs = 10_000

/** Who may have drawn a number of the table, and neither committed nor rolled back. */
async function writersOf(pool: Pool, table: AppendOnly): Promise<string[]> {
  const [row] = await execute(
    pool,
    query(
      'writers-of-table',
      sql`
      SELECT coalesce(array_agg(virtualtransaction), '{}') AS writers FROM pg_locks
      WHERE locktype = 'relation' AND relation = ${table}::text::regclass AND mode = 'RowExclusiveLock' AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      { writers: column.texts },
    ),
  )
  return row?.writers ?? []
}

/**
 * The last line up to which none is missing any more: those with lower numbers are committed or never will be. Numbers
 * are drawn before a commit, and commits overtake each other; but whoever draws one holds the table's lock from before
 * until their end, so that everybody who holds it once the last number is read is waited for. Null when one of them
 * takes too long.
 */
export async function findSettledLine(pool: Pool, table: AppendOnly): Promise<bigint | null> {
  const [last] = await execute(
    pool,
    query(
      'last-line-of-table',
      sql`SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(${table}::text, 'id')::regclass), 0) AS id`,
      { id: column.bigint },
    ),
  )
  const before = new Set(await writersOf(pool, table))
  for (let waitedMs = 0; before.size > 0; waitedMs += lookAgainMs) {
    if (waitedMs >= mostWaitedMs) return null
    await pause(lookAgainMs)
    const now = new Set(await writersOf(pool, table))
    for (const writer of before) if (!now.has(writer)) before.delete(writer)
  }
  return last?.id ?? 0n
}
