import { IMPORT_LIMIT_FAULTS, type ImportFault, type ImportKind } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import type { DataKeys } from '../platform/crypto/data-keys.ts'
import type { Services } from '../services.ts'
import { emptyImport, type ImportView } from './keep-import.ts'
import { readImportFile } from './read-import-file.ts'
import type { ImportRow } from './read-row.ts'

const { sql } = Prisma
const rowsAtOnce = 500

type MarkedRow = ImportRow & { openidMac: string; sourceMac: string }

/**
 * What is left of somebody's days counts from the moment the import was begun, whenever its lines are written, so that the
 * end is the one the file names: days are whole ones, and `at` lies less than a day before that moment.
 */
const daysSql = sql`CASE WHEN i.kind = 'subscribers' AND t.instant IS NOT NULL
  THEN least(100000, greatest(0, ceil(extract(epoch FROM t.instant - i.created_at) / 86400)))::int ELSE t.days END`

type Turn = { id: string; turn: number }

/**
 * Keeps lines that are well-formed until they are written; false where another process has begun to read the file since.
 * The lock of the row makes that one wait for lines that are just being kept, and it then forgets them.
 */
async function keepRows(pool: Pool, { id, turn }: Turn, rows: readonly MarkedRow[]): Promise<boolean> {
  const kept = await execute(
    pool,
    query(
      'keep-import-rows',
      sql`
      WITH held AS (
        SELECT * FROM imports WHERE id = ${id}::uuid AND turn = ${turn}::int AND state = 'checking' FOR SHARE),
      kept AS (
      INSERT INTO import_rows (import_id, line, source, source_id, source_mac, openid, openid_mac, at, nickname, plan_code, days, expires_at,
        features, has_features, amount_fen, transaction_id, out_trade_no, serial_number)
      SELECT i.id, t.line, t.source, t."sourceId", t."sourceMac", t.openid, t."openidMac",
        CASE WHEN i.kind <> 'subscribers' THEN t.instant
          WHEN t.instant IS NOT NULL THEN t.instant - (${daysSql}) * interval '24 hours' ELSE i.created_at END,
        t.nickname, t."planCode", ${daysSql}, CASE WHEN i.kind = 'subscribers' THEN t.instant END,
        coalesce(t.features, '{}'), t.features IS NOT NULL, t."amountFen", t."transactionId", t."outTradeNo", t."serialNumber"
      FROM held i, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) t (line int, source text, "sourceId" text, "sourceMac" text,
        openid text, "openidMac" text, instant timestamptz, nickname text, "planCode" text, days int, features text[], "amountFen" int,
        "transactionId" text, "outTradeNo" text, "serialNumber" text))
      SELECT turn FROM held`,
      { turn: column.integer },
    ),
  )
  return kept.length > 0
}

/** A line is told apart from an identity by its brackets: both are marked under one key. */
const markRow = async (dataKeys: DataKeys, kind: ImportKind, row: ImportRow): Promise<MarkedRow> => ({
  ...row,
  openidMac: await dataKeys.markOf(row.openid),
  sourceMac: await dataKeys.markOf(JSON.stringify([kind, row.source, row.sourceId])),
})

export type Staged = { lines: number; faults: ImportFault[] }

/**
 * The first pass: reads the file line by line and keeps its rows, of which memory never holds more than five hundred. What
 * an earlier try kept is forgotten. A file with a thousand faults is not read to its end. Null where another process has
 * begun to read it since.
 */
export async function stageFile(
  { database: { pool }, dataKeys }: Pick<Services, 'database' | 'dataKeys'>,
  { id, kind, turn }: Pick<ImportView, 'id' | 'kind'> & Turn,
  file: AsyncIterable<Buffer>,
): Promise<Staged | null> {
  await emptyImport(pool, id, 'rows')
  const faults: ImportFault[] = []
  let lines = 0
  let held: MarkedRow[] = []
  const flush = async () => {
    const isKept = held.length === 0 || (await keepRows(pool, { id, turn }, held))
    held = []
    return isKept
  }
  for await (const line of readImportFile(kind, file)) {
    lines += 1
    if ('row' in line) held.push(await markRow(dataKeys, kind, line.row))
    else faults.push(...line.faults.slice(0, IMPORT_LIMIT_FAULTS - faults.length))
    if (faults.length >= IMPORT_LIMIT_FAULTS) break
    if (held.length >= rowsAtOnce && !(await flush())) return null
  }
  return (await flush()) ? { lines, faults } : null
}
