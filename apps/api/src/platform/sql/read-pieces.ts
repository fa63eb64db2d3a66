import { column, execute, type Pool, Prisma, query } from '@meridian/db'

/**
 * The bytes that a table keeps of one file, one piece at a time, so that a file of any size takes the memory of a piece.
 * @param ofPiece `FROM … WHERE …` of the piece with this number, counted from 1
 */
export async function* readPieces(pool: Pool, ofPiece: (seq: number) => Prisma.Sql): AsyncGenerator<Buffer> {
  for (let seq = 1; ; seq += 1) {
    const [piece] = await execute(
      pool,
      query(null, Prisma.sql`SELECT encode(bytes, 'base64') AS bytes ${ofPiece(seq)}`, {
        bytes: column.text,
      }),
    )
    if (!piece) return
    yield Buffer.from(piece.bytes, 'base64')
  }
}
