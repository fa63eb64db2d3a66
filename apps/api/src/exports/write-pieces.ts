import { ExportFormat, type ExportName, isExport } from '@meridian/contracts'
import { column, execute, type Pool, Prisma, query } from '@meridian/db'
import { appendAuditSql } from '../audit/write-audit.ts'
import { endRunSql } from './export-runs.ts'
import { sendRunSql } from './send-runs.ts'

const { sql } = Prisma

/** A turn of writing a file: another worker may take it over, and then this one's bytes are not wanted any more. */
export type ExportTurn = {
  id: string
  turn: number
  list: ExportName
  format: ExportFormat
  language: 'zh' | 'en'
  query: unknown
  operatorId: string
  email: string
  createdAt: Date
}

const isTurnOf = ({ id, turn }: Pick<ExportTurn, 'id' | 'turn'>): Prisma.Sql =>
  sql`id = ${id}::bigint AND turn = ${turn}::int AND state = 'running'`

/** Begins the file, or begins it anew where a worker died; null where nobody waits for it any more. */
export async function takeExport(pool: Pool, id: string): Promise<ExportTurn | null> {
  const [taken] = await execute(
    pool,
    query(
      'take-export',
      sql`
      WITH taken AS (
        UPDATE export_jobs SET state = 'running', turn = turn + 1, rows = 0, bytes = 0
        WHERE id = ${id}::bigint AND state IN ('waiting', 'running')
        RETURNING id, turn, list, format, language, query, operator_id, email, created_at),
      emptied AS (DELETE FROM export_pieces WHERE job_id IN (SELECT id FROM taken))
      SELECT turn, list, format, language = 'en' AS english, query::text AS query, operator_id::text AS "operatorId", email,
        created_at AS "createdAt" FROM taken`,
      {
        turn: column.integer,
        list: column.text,
        format: column.text,
        english: column.boolean,
        query: column.text,
        operatorId: column.text,
        email: column.text,
        createdAt: column.instant,
      },
    ),
  )
  if (!taken || !isExport(taken.list)) return null
  const { list, english, ...turn } = taken
  const query_: unknown = JSON.parse(taken.query)
  return {
    ...turn,
    id,
    list,
    format: ExportFormat.parse(taken.format),
    language: english ? 'en' : 'zh',
    query: query_,
  }
}

type Piece = { seq: number; bytes: Buffer; rows: number }

/** Keeps the next bytes and how far the file is; false where the turn is over, so that nothing of it is kept. */
export async function keepPiece(pool: Pool, turn: ExportTurn, { seq, bytes, rows }: Piece): Promise<boolean> {
  const kept = await execute(
    pool,
    query(
      'keep-export-piece',
      sql`
      WITH mine AS (
        UPDATE export_jobs SET rows = ${rows}::int, bytes = bytes + ${bytes.length}::int WHERE ${isTurnOf(turn)} RETURNING id)
      INSERT INTO export_pieces (job_id, seq, bytes) SELECT id, ${seq}::int, ${bytes}::bytea FROM mine RETURNING 1 AS kept`,
      { kept: column.integer },
    ),
  )
  return kept.length > 0
}

type Ending =
  | { state: 'done'; rows: number; whole: boolean }
  | { state: 'failed'; rows: number; whole: false }

/** Says once how the file ended; one of a schedule is sent where it should be. */
export async function endExport(pool: Pool, turn: ExportTurn, { state, rows, whole }: Ending): Promise<void> {
  const entry = {
    operatorId: turn.operatorId,
    action: 'export.finish',
    subject: { type: 'list', id: turn.list },
    after: { export: turn.id, rows, whole },
  }
  const from = { address: '', userAgent: '', requestId: `export-${turn.id}` }
  await execute(
    pool,
    query(
      'end-export',
      sql`
      WITH ended AS (
        UPDATE export_jobs SET state = ${state}::export_state, rows = ${rows}::int, whole = ${whole}::boolean, ended_at = business_now()
        WHERE ${isTurnOf(turn)} RETURNING id),
      audited AS (${appendAuditSql(sql`ended`, entry, from)}),
      ${endRunSql(state === 'done')}
      ${sendRunSql(state === 'done')}`,
      { job: column.text },
    ),
  )
}
