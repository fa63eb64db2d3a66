import type { Readable } from 'node:stream'
import { type ExportTurn, endExport, keepPiece, takeExport } from '../../exports/write-pieces.ts'
import { DomainError } from '../../platform/errors/domain-error.ts'
import type { Services } from '../../services.ts'
import { openFile } from './export-file.ts'
import { exports } from './export-lists.ts'
import { readQuery } from './kept-query.ts'

/** What a row of the database holds of a file: little enough to be written while a payment waits. */
const PIECE_BYTES = 128 * 1024
/** No file is larger: a hundred thousand rows of the widest list are a third of it. */
const MOST_BYTES = 128 * 1024 * 1024

/** Bytes in groups of about a piece. */
async function* inPieces(file: Readable): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let size = 0
  for await (const bytes of file) {
    const piece = Buffer.from(bytes)
    held.push(piece)
    size += piece.length
    if (size < PIECE_BYTES) continue
    yield Buffer.concat(held)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held)
}

/** @throws DomainError invalid_request for a query that another release kept and this one does not know */
function readAsked({ list, query: kept }: ExportTurn): unknown {
  try {
    const query = readQuery(kept)
    exports[list].read(query)
    return query
  } catch (error) {
    throw new DomainError('invalid_request', { cause: error })
  }
}

/** Writes the file of one turn; false where nobody waits for it any more. */
async function keepFile(services: Services, turn: ExportTurn) {
  let [rows, whole, bytesKept, seq] = [0, false, 0, 0]
  const counter = {
    count: () => {
      rows += 1
    },
    rows: () => rows,
    finish: async (outcome: { whole: boolean }) => {
      whole = outcome.whole
    },
  }
  const { list: name, email, language, format, createdAt: at } = turn
  const query = readAsked(turn)
  // The file is kept for a day: names stay masked in it.
  const kept = { names: 'masked', prefers: 'replica' } as const
  const file = openFile(services, { name, query, email, at, language, format, ...kept }, counter)
  for await (const bytes of inPieces(file)) {
    seq += 1
    bytesKept += bytes.length
    if (bytesKept > MOST_BYTES) throw new DomainError('range_too_wide')
    if (!(await keepPiece(services.database.pool, turn, { seq, bytes, rows }))) return null
  }
  return { rows, whole }
}

/**
 * Writes a list into the database as a file, page by page and piece by piece. A worker that dies leaves its turn to
 * another, which begins anew; what the list refuses (a range too wide, a query of another release) is told as the end of
 * the file.
 */
export async function writeExport(services: Services, exportId: string): Promise<void> {
  const { pool } = services.database
  const turn = await takeExport(pool, exportId)
  if (!turn) return
  try {
    const written = await keepFile(services, turn)
    if (written) await endExport(pool, turn, { state: 'done', ...written })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    await endExport(pool, turn, { state: 'failed', rows: 0, whole: false })
  }
}
