import type { Cell } from './export-columns.ts'

/** What a file is made of, line by line: it is written while it is read, and never held. */
export type Sheet = {
  heads: string[]
  /** The lines below the heads; the last one says whose file it is. */
  lines: AsyncIterable<Cell[]>
  /** When the file was asked for. */
  at: Date
}

/** Large enough that a piece is worth a call of the compressor and of the socket. */
const PIECE_CHARACTERS = 16 * 1024

/** Short texts as few longer ones. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  if (piece) yield piece
}
