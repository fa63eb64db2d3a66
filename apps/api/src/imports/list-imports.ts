import { type ImportDetail, ImportFault, ImportRow, importFaultWords } from '@meridian/contracts'
import { column, execute, json, nullable, type Pool, Prisma, query } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import { importColumns } from './keep-import.ts'

const { sql } = Prisma
const shown = 100

const rowColumns = {
  ...importColumns,
  fileName: nullable(column.text),
  faultCount: column.integer,
  broughtBy: nullable(column.text),
  endedAt: nullable(column.instant),
  isUndoAsked: column.boolean,
  obstacles: json(ImportRow.shape.obstacles),
}

const rowSql = sql`i.id::text AS id, i.kind::text AS kind, i.dry_run AS "dryRun", i.state::text AS state, i.file_name AS "fileName",
  i.lines, i.written, i.users, i.days::float8 AS days, i.fen::float8 AS fen, jsonb_array_length(i.faults) AS "faultCount",
  coalesce((SELECT o.email FROM operators o WHERE o.id = i.operator_id),
    (SELECT k.name FROM api_keys k WHERE k.id = i.api_key_id)) AS "broughtBy",
  i.created_at AS "createdAt", i.ended_at AS "endedAt", i.undo_asked_at IS NOT NULL AS "isUndoAsked", i.obstacles`

/** The last hundred imports, newest first. An upload that is still coming in is none yet. */
export const listImports = (pool: Pool): Promise<ImportRow[]> =>
  execute(
    pool,
    query(
      'list-imports',
      sql`SELECT ${rowSql} FROM imports i WHERE i.bytes > 0 OR i.state <> 'waiting' ORDER BY i.created_at DESC, i.id LIMIT ${shown}::int`,
      rowColumns,
    ),
  )

/** @throws DomainError not_found */
export async function showImport(
  pool: Pool,
  { id }: { id: string },
  language: 'zh' | 'en',
): Promise<ImportDetail> {
  const [found] = await execute(
    pool,
    query('show-import', sql`SELECT ${rowSql}, i.faults FROM imports i WHERE i.id = ${id}::uuid`, {
      ...rowColumns,
      faults: json(ImportFault.array()),
    }),
  )
  if (!found) throw new DomainError('not_found')
  return { ...found, faults: tellFaults(found.faults, language) }
}

/** Faults in the words of a language. */
export const tellFaults = (faults: readonly ImportFault[], language: 'zh' | 'en'): ImportDetail['faults'] =>
  faults.map(({ line, column: name, code }) => ({
    line,
    column: name,
    message: importFaultWords[code][language === 'zh' ? 0 : 1],
  }))
