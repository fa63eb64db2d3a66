import { createHash, randomBytes } from 'node:crypto'
import { IMPORT_LIMIT_BYTES, type ImportKind } from '@meridian/contracts'
import { type Pool, Prisma, uniqueViolation } from '@meridian/db'
import { DomainError } from '../platform/errors/domain-error.ts'
import {
  beginImport,
  dropImport,
  findOpenImport,
  handOverImport,
  keepImportPiece,
  moveImport,
} from './keep-import.ts'

const { sql } = Prisma

/** What a row of the database holds of a file. */
const pieceBytes = 128 * 1024

export type Upload = { kind: ImportKind; dryRun: boolean; apiKeyId: string; file: AsyncIterable<Buffer> }

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

/**
 * Keeps a file that a system sends and has a worker take it over. What was sent in part is forgotten; of a file that is
 * being taken over already, that import is the answer.
 * @throws DomainError payload_too_large
 */
export async function keepUpload(pool: Pool, { kind, dryRun, apiKeyId, file }: Upload): Promise<string> {
  // Until all of it is here it is known by chance alone.
  const started = { kind, dryRun, apiKeyId, digest: randomBytes(32), bytes: 0 }
  const id = await beginImport(pool, started)
  try {
    const { digest, bytes } = await keepPieces(pool, id, file)
    await moveImport(pool, id, sql`digest = ${digest}, bytes = ${bytes}::int`).catch(
      async (error: unknown) => {
        const open = await findOpenImport(pool, { kind, digest })
        if (uniqueViolation(error) === null || open === null) throw error
        throw new AlreadyOpen(open)
      },
    )
    await handOverImport(pool, id)
    return id
  } catch (error) {
    await dropImport(pool, id)
    if (error instanceof AlreadyOpen) return error.id
    throw error
  }
}

/** The same file is being taken over. */
class AlreadyOpen extends Error {
  readonly id: string

  constructor(id: string) {
    super('the file is being taken over')
    this.id = id
  }
}
