import { createHash, randomBytes } from 'node:crypto'
import { IMPORT_LIMIT_BYTES, type ImportKind, MOST_WAITING_IMPORTS } from '@meridian/contracts'
import { execute, type Pool, type PoolClient, Prisma, query } from '@meridian/db'
import { appendAuditSql } from '../audit/write-audit.ts'
import { DomainError } from '../platform/errors/domain-error.ts'
import { requireRoom } from '../platform/sql/require-room.ts'
import { inTransaction } from '../platform/sql/transaction.ts'
import {
  type Bringer,
  beginImport,
  dropImport,
  enqueueImport,
  findOpenImport,
  givePieces,
  keepImportPiece,
  moveImport,
} from './keep-import.ts'

const { sql } = Prisma

/** What a row of the database holds of a file. */
const pieceBytes = 128 * 1024

export type Upload = { kind: ImportKind; dryRun: boolean; by: Bringer; file: AsyncIterable<Buffer> }

/** Keeps the file in pieces as it comes, never more of it in memory than one. @throws DomainError payload_too_large */
async function keepPieces(pool: Pool, id: string, file: AsyncIterable<Buffer>) {
  const hash = createHash('sha256')
  let [held, size, total, seq]: [Buffer[], number, number, number] = [[], 0, 0, 0]
  const flush = async () => {
    if (size === 0) return
    seq += 1
    await keepImportPiece(pool, id, { seq, bytes: Buffer.concat(held) })
    held = []
    size = 0
  }
  for await (const bytes of file) {
    total += bytes.length
    if (total > IMPORT_LIMIT_BYTES) throw new DomainError('payload_too_large')
    hash.update(bytes)
    held.push(bytes)
    size += bytes.length
    if (size >= pieceBytes) await flush()
  }
  await flush()
  return { digest: hash.digest(), bytes: total }
}

/** What an operator did, for the audit log; what a key brought says so itself. */
async function record(client: PoolClient, id: string, { kind, dryRun, by }: Upload): Promise<void> {
  if (by === null || !('actor' in by)) return
  const { operatorId, from } = by.actor
  const entry = {
    operatorId,
    action: 'import.start',
    subject: { type: 'import', id },
    after: { kind, dryRun, fileName: by.fileName },
  }
  await execute(client, query('audit-import', appendAuditSql(sql`(SELECT 1) done`, entry, from)))
}

type Whole = Pick<Upload, 'kind' | 'dryRun'> & { digest: Buffer; bytes: number }

/**
 * Names the upload by its bytes, inside the caller's transaction; where the same file is being taken over already, that
 * import is the answer, and reads these pieces where it has none.
 */
async function nameUpload(
  client: PoolClient,
  id: string,
  { kind, dryRun, ...whole }: Whole,
): Promise<string> {
  const { digest, bytes } = whole
  const lock = sql`SELECT pg_advisory_xact_lock(hashtextextended(${`import ${digest.toString('hex')}`}, 0))`
  await execute(client, query('lock-import-file', lock))
  const open = dryRun ? null : await findOpenImport(client, { kind, digest })
  if (open === null) await moveImport(client, id, sql`digest = ${digest}, bytes = ${bytes}::int`)
  else await givePieces(client, { from: id, to: open })
  return open ?? id
}

/**
 * Files that are kept until a worker has read them, of which each may have 64 MiB. An upload takes half a minute at most:
 * one that is not whole after ten minutes is of a process that was killed. A command keeps no file.
 */
const room = {
  name: 'import uploads',
  countSql: sql`imports i WHERE i.state IN ('waiting', 'checking') AND CASE
    WHEN i.bytes = 0 THEN i.created_at > business_now() - interval '10 minutes'
    ELSE EXISTS (SELECT FROM import_pieces p WHERE p.import_id = i.id) END`,
  most: MOST_WAITING_IMPORTS,
  refusal: () => new DomainError('rate_limited', { retryAfterSeconds: 30 }),
}

/**
 * Keeps a file that is sent, and has a worker take it over. What was sent in part is forgotten; of a file that is being
 * taken over already that import is the answer, and goes on where it was given up.
 * @throws DomainError payload_too_large; rate_limited while as many files as may be are waited for
 */
export async function keepUpload(pool: Pool, upload: Upload): Promise<string> {
  const { kind, dryRun, by, file } = upload
  // Until all of it is here it is known by chance alone.
  const id = await inTransaction(pool, async (client) => {
    await requireRoom(client, room)
    return beginImport(client, { kind, dryRun, by, digest: randomBytes(32), bytes: 0 })
  })
  try {
    const whole = await keepPieces(pool, id, file)
    const taken = await inTransaction(pool, async (client) => {
      const named = await nameUpload(client, id, { kind, dryRun, ...whole })
      await enqueueImport(client, 'take_import', named)
      await record(client, named, upload)
      return named
    })
    if (taken !== id) await dropImport(pool, id)
    return taken
  } catch (error) {
    await dropImport(pool, id)
    throw error
  }
}
