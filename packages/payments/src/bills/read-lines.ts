import { StringDecoder } from 'node:string_decoder'

/** No row of a bill comes near this; more is not a bill. */
const LONGEST_LINE = 64 * 1024

/**
 * Splits a stream of UTF-8 bytes into lines without their ends, a handful at a time, so that memory holds one piece of
 * the file whatever its length. A byte-order mark is dropped. Throws a RangeError at a line that never ends.
 */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let first = true
  for await (const piece of bytes) {
    let text = rest + decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))
    if (first && text.length > 0) {
      if (text.startsWith('\ufeff')) text = text.slice(1)
      first = false
    }
    const lines = text.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LONGEST_LINE) throw new RangeError('a line without end')
    yield lines.map(withoutReturn)
  }
  rest += decoder.end()
  if (rest !== '') yield [withoutReturn(rest)]
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
