import { stepInSlice } from './event-loop-turns.ts'

/** The rule for every import and export: no more rows, no more faults, and no more bytes than a door lets in. */
export const STREAM_LIMIT_ROWS = 100_000
export const STREAM_LIMIT_FAULTS = 1_000

/** Small enough that a parser, which takes a piece as a whole, is done with it within its slice. */
const pieceBytes = 256

/** A file in pieces, others getting their turn between them. */
export async function* inPieces(file: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += pieceBytes) {
    await stepInSlice()
    yield file.subarray(at, at + pieceBytes)
  }
}

type Bounds<Item> = {
  rows?: number
  bytes?: number
  /** What an item weighs, where bytes are bounded. */
  bytesOf?: (item: Item) => number
}

/**
 * The items of a stream, others getting their turn between them, until one of the bounds is met. Answers whether that
 * was its end: true when something of it was left.
 */
export async function* boundedStream<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  { rows = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY, bytesOf = () => 0 }: Bounds<Item> = {},
): AsyncGenerator<Item, boolean> {
  let [passed, weight] = [0, 0]
  for await (const item of items) {
    weight += bytesOf(item)
    if (passed >= rows || weight > bytes) return true
    passed += 1
    yield item
    await stepInSlice()
  }
  return false
}
