import { ImportFault, ImportKind, ImportState } from '@meridian/contracts'
import {
  type Connection,
  column,
  execute,
  json,
  type Pool,
  type PoolClient,
  Prisma,
  query,
  type RowOf,
} from '@meridian/db'
import type { Actor } from '../audit/write-audit.ts'
import { enqueueJobSql, jobKeySql, jobPayloadSql } from '../jobs/job-table.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { newId } from '../platform/ids/new-id.ts'
import { readPieces } from '../platform/sql/read-pieces.ts'

const { sql } = Prisma

/** What every view of an import shows. */
export const importColumns = {
  id: column.text,
  kind: {
    ...column.text,
    accepts: (value: unknown): value is ImportKind => ImportKind.safeParse(value).success,
  },
  dryRun: column.boolean,
  state: {
    ...column.text,
    accepts: (value: unknown): value is ImportState => ImportState.safeParse(value).success,
  },
  lines: column.integer,
  written: column.integer,
  users: column.integer,
  days: column.number,
  fen: column.number,
  createdAt: column.instant,
}
const importRowColumns = { ...importColumns, faults: json(ImportFault.array()) }
/** What is known of an import. */
export type ImportView = RowOf<typeof importRowColumns>

const viewSql = sql`id::text AS id, kind::text AS kind, dry_run AS "dryRun", state::text AS state, lines, written, users,
  days::float8 AS days, fen::float8 AS fen, faults, created_at AS "createdAt"`

/** @throws DomainError not_found */
export async function readImport(db: Connection, id: string): Promise<ImportView> {
  const [found] = await execute(
    db,
    query('read-import', sql`SELECT ${viewSql} FROM imports WHERE id = ${id}::uuid`, importRowColumns),
  )
  if (!found) throw new DomainError('not_found')
  return found
}

/** The import under its row lock, so that one process at a time works on it. @throws DomainError not_found */
export async function holdImport(client: PoolClient, id: string): Promise<ImportView> {
  const [found] = await execute(
    client,
    query(
      'hold-import',
      sql`SELECT ${viewSql} FROM imports WHERE id = ${id}::uuid FOR UPDATE`,
      importRowColumns,
    ),
  )
  if (!found) throw new DomainError('not_found')
  return found
}

/** Who brings a file: a system by its key, an operator of the console, or, null, somebody at the machine. */
export type Bringer = { apiKeyId: string } | { actor: Actor; fileName: string | null } | null

export type NewImport = {
  kind: ImportKind
  dryRun: boolean
  digest: Buffer
  bytes: number
  by: Bringer
}

/** The import of this file that was begun and is not over; null where there is none. */
export async function findOpenImport(
  db: Connection,
  { kind, digest }: Pick<NewImport, 'kind' | 'digest'>,
): Promise<string | null> {
  const [open] = await execute(
    db,
    query(
      'find-open-import',
      sql`SELECT id::text AS id FROM imports WHERE kind = ${kind}::import_kind AND digest = ${digest}
        AND state IN ('waiting', 'checking', 'writing') AND NOT dry_run`,
      { id: column.text },
    ),
  )
  return open?.id ?? null
}

/** Begins an import; of a file whose import was cut off, that one goes on. */
export async function beginImport(db: Connection, started: NewImport): Promise<string> {
  const { kind, dryRun, digest, bytes, by } = started
  const apiKeyId = by !== null && 'apiKeyId' in by ? by.apiKeyId : null
  const operator = by !== null && 'actor' in by ? by : null
  const [made] = await execute(
    db,
    query(
      'begin-import',
      sql`INSERT INTO imports (id, kind, dry_run, digest, bytes, api_key_id, operator_id, file_name)
        VALUES (${newId()}::uuid, ${kind}::import_kind, ${dryRun}, ${digest}, ${bytes}::int, ${apiKeyId}::uuid,
          ${operator?.actor.operatorId ?? null}::uuid, ${operator?.fileName ?? null})
        ON CONFLICT (kind, digest) WHERE state IN ('waiting', 'checking', 'writing') AND NOT dry_run DO NOTHING
        RETURNING id::text AS id`,
      { id: column.text },
    ),
  )
  const id = made?.id ?? (await findOpenImport(db, started))
  if (id === null) throw new DomainError('changed_meanwhile')
  return id
}

/** Moves an import to a state, with what else changes. */
export const moveImport = (db: Connection, id: string, changes: Prisma.Sql) =>
  execute(db, query(null, sql`UPDATE imports SET ${changes} WHERE id = ${id}::uuid`))

/** Forgets an import of which nothing was read, with what is kept of its file. */
export const dropImport = (pool: Pool, id: string) =>
  execute(pool, query('drop-import', sql`DELETE FROM imports WHERE id = ${id}::uuid AND state = 'waiting'`))

/**
 * Begins to read the file, or begins anew where a process was cut off: what an earlier one still holds is not wanted any
 * more. Answers the turn; null where nothing is left to be read.
 */
export async function beginTurn(pool: Pool, id: string): Promise<number | null> {
  const [begun] = await execute(
    pool,
    query(
      'begin-import-turn',
      sql`UPDATE imports SET state = 'checking', turn = turn + 1
        WHERE id = ${id}::uuid AND state IN ('waiting', 'checking') RETURNING turn`,
      { turn: column.integer },
    ),
  )
  return begun?.turn ?? null
}

/** Ends the turn with what changes; false where another process has begun one since. */
export async function endTurn(
  pool: Pool,
  { id, turn }: { id: string; turn: number },
  changes: Prisma.Sql,
): Promise<boolean> {
  const ended = await execute(
    pool,
    query(
      null,
      sql`UPDATE imports SET ${changes} WHERE id = ${id}::uuid AND state = 'checking' AND turn = ${turn}::int
        RETURNING turn`,
      { turn: column.integer },
    ),
  )
  return ended.length > 0
}

type ImportJob = 'take_import' | 'undo_import'

/** Has a worker work on the import; where that is waited for already, or was given up, it begins anew. */
export async function enqueueImport(client: PoolClient, job: ImportJob, id: string): Promise<void> {
  const payload = jobPayloadSql(job, { importId: id })
  const key = jobKeySql(job, sql`${id}::text`)
  const enqueued = sql`SELECT ${enqueueJobSql(job, payload, { key })}::text AS job`
  await execute(client, query(`enqueue-${job.replace('_', '-')}`, enqueued, { job: column.text }))
}

/** Gives the pieces of one upload to the import of the same file that was begun before, where that one has none. */
export const givePieces = (client: PoolClient, { from, to }: { from: string; to: string }) =>
  execute(
    client,
    query(
      'give-import-pieces',
      sql`UPDATE import_pieces SET import_id = ${to}::uuid WHERE import_id = ${from}::uuid
        AND EXISTS (SELECT 1 FROM imports i WHERE i.id = ${to}::uuid AND i.state IN ('waiting', 'checking'))
        AND NOT EXISTS (SELECT 1 FROM import_pieces p WHERE p.import_id = ${to}::uuid)`,
    ),
  )

/** Keeps the next bytes of a file for the worker. */
export const keepImportPiece = (pool: Pool, id: string, { seq, bytes }: { seq: number; bytes: Buffer }) =>
  execute(
    pool,
    query(
      'keep-import-piece',
      sql`INSERT INTO import_pieces (import_id, seq, bytes) VALUES (${id}::uuid, ${seq}::int, ${bytes}::bytea)`,
    ),
  )

/** The bytes that are kept, one piece at a time. */
export const readImportPieces = (pool: Pool, id: string): AsyncGenerator<Buffer> =>
  readPieces(pool, (seq) => sql`FROM import_pieces WHERE import_id = ${id}::uuid AND seq = ${seq}::int`)

/** Forgets the pieces and the lines of a file, some at a time. */
export async function emptyImport(pool: Pool, id: string, what: 'pieces' | 'rows'): Promise<void> {
  const [table, key] = what === 'rows' ? [sql`import_rows`, sql`line`] : [sql`import_pieces`, sql`seq`]
  for (;;) {
    const gone = await execute(
      pool,
      query(
        null,
        sql`DELETE FROM ${table} WHERE import_id = ${id}::uuid AND ${key} IN (
            SELECT ${key} FROM ${table} WHERE import_id = ${id}::uuid ORDER BY 1 LIMIT 1000)
          RETURNING 1 AS gone`,
        { gone: column.integer },
      ),
    )
    if (gone.length === 0) return
  }
}
