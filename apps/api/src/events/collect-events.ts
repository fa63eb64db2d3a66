import { column, execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import {
  type AppendOnly,
  findSettledLine,
  lockWatermark,
  moveWatermark,
  type WatermarkName,
} from '../platform/database/watermark.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import type { InTurn } from './in-turn.ts'
import { isSomebodyToldSql } from './oldest-untried.ts'
import { readOrderFacts } from './order-facts.ts'
import { readOtherFacts } from './other-facts.ts'
import { readSubscriptionFacts } from './subscription-facts.ts'
import { type Fact, type Lines, writeFact } from './told-facts.ts'

const { sql } = Prisma

type Source = {
  table: AppendOnly
  watermark: WatermarkName
  read: (client: PoolClient, lines: Lines) => Promise<Fact[]>
}

/**
 * Where facts stand: in lines that the transactions of the facts write anyway, so that a payment writes nothing more for
 * being told, what was rolled back is nowhere, and what was committed is not missed.
 */
const sources: readonly Source[] = [
  { table: 'order_events', watermark: 'told_orders', read: readOrderFacts },
  { table: 'grants', watermark: 'told_subscriptions', read: readSubscriptionFacts },
  { table: 'outbox_lines', watermark: 'told_others', read: readOtherFacts },
]

/** Of one transaction, which holds the facts of so many lines in memory. */
const linesAtOnce = 500n

async function isSomebodyTold(client: PoolClient): Promise<boolean> {
  const [row] = await execute(
    client,
    query('is-somebody-told', sql`SELECT ${isSomebodyToldSql} AS told`, { told: column.boolean }),
  )
  return row?.told ?? false
}

/**
 * Keeps facts as events and puts each on its way to every endpoint that was there when it happened and wants its type, in
 * the order they happened. A fact that is kept already is left as it is.
 */
async function keepFacts(client: PoolClient, facts: readonly Fact[]): Promise<void> {
  const told = facts.map(writeFact)
  await execute(
    client,
    query(
      'keep-events',
      sql`
      WITH told AS (
        SELECT * FROM unnest(${told.map(({ eventId }) => eventId)}::text[], ${told.map(({ type }) => type)}::text[],
          ${told.map(({ subjectKind }) => subjectKind)}::text[], ${told.map(({ subject }) => subject)}::text[],
          ${told.map(({ seq }) => seq)}::int[], ${told.map(({ at }) => at)}::timestamptz[],
          ${told.map(({ body }) => body)}::text[]) AS fact (event_id, type, subject_kind, subject, seq, at, body)),
      made AS (
        INSERT INTO events (event_id, type, subject_kind, subject, seq, body)
        SELECT event_id, type, subject_kind, subject, seq, body FROM told
        ON CONFLICT (subject_kind, subject, seq) DO NOTHING RETURNING id, event_id, type, subject_kind, subject)
      INSERT INTO webhook_deliveries (endpoint_id, event_id, type, subject_kind, subject, next_attempt_at)
      SELECT e.id, made.id, made.type, made.subject_kind, made.subject, business_now()
      FROM made JOIN told USING (event_id) JOIN webhook_endpoints e ON e.disabled_at IS NULL AND e.deleted_at IS NULL
        AND e.created_at <= told.at AND (cardinality(e.types) = 0 OR made.type = ANY (e.types))
      ORDER BY made.id, e.id`,
    ),
  )
}

/** Which of the tables have lines behind their watermark: without any, a look costs this one statement. */
async function findSourcesWithNews(pool: Pool): Promise<readonly Source[]> {
  const news = sources.map(
    ({ table, watermark }) => sql`
      SELECT ${table}::text AS "table" WHERE pg_sequence_last_value(pg_get_serial_sequence(${table}::text, 'id')::regclass)
        > coalesce((SELECT line_id FROM watermarks WHERE name = ${watermark}), 0)`,
  )
  const rows = await execute(
    pool,
    query('find-news', Prisma.join(news, ' UNION ALL '), { table: column.text }),
  )
  return sources.filter(({ table }) => rows.some((row) => row.table === table))
}

/** One process collects at a time, so that events become visible in the order of their numbers, which polling goes by. */
async function isCollector(client: PoolClient): Promise<boolean> {
  const [row] = await execute(
    client,
    query(
      'be-collector',
      sql`SELECT pg_try_advisory_xact_lock(hashtextextended('collect events', 0)) AS is`,
      {
        is: column.boolean,
      },
    ),
  )
  return row?.is ?? false
}

const least = (one: bigint, other: bigint) => (one < other ? one : other)

type Collected = { facts: number; more: boolean }

/** Takes in a bounded number of lines. Answers how many facts they told, and whether more lines wait. */
async function collectSome(
  client: PoolClient,
  { watermark, read }: Source,
  settled: bigint,
): Promise<Collected> {
  if (!(await isCollector(client))) return { facts: 0, more: false }
  const mark = await lockWatermark(client, watermark)
  if (settled <= mark.lineId) return { facts: 0, more: false }
  const isTold = await isSomebodyTold(client)
  const until = isTold ? least(settled, mark.lineId + linesAtOnce) : settled
  const facts = isTold ? await read(client, { after: mark.lineId, until }) : []
  if (facts.length > 0) await keepFacts(client, facts)
  await moveWatermark(client, watermark, { ...mark, lineId: until })
  return { facts: facts.length, more: until < settled }
}

/**
 * Makes events of what happened since, in the order of each subject. Answers how many. Several processes may: one of them
 * does at a time, and the watermark of each table moves with what was kept of it.
 */
export async function collectEvents(pool: Pool, inTurn: InTurn = (work) => work()): Promise<number> {
  let facts = 0
  for (const source of await findSourcesWithNews(pool)) {
    const settled = await findSettledLine(pool, source.table)
    for (let more = settled !== null; more && settled !== null; ) {
      const collected = await inTurn(() =>
        inTransaction(pool, (client) => collectSome(client, source, settled)),
      )
      facts += collected.facts
      more = collected.more
    }
  }
  return facts
}
