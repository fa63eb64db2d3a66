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

const DIGIT_0 = 48
const DIGIT_9 = 57
const POINT = 46
const MINUS = 45

/**
 * A decimal text as an integer number of its last place: `exactDecimal('29.00', 2)` is 2900. Integers only, no
 * floating point on the way (protocol §7.4). Null when the text is not a number, has digits beyond the wanted places
 * that are not zero, or is beyond what an integer holds exactly.
 */
export function exactDecimal(text: string, places: number): number | null {
  const negative = text.charCodeAt(0) === MINUS
  let value = 0
  let digits = 0
  let after = -1
  for (let at = negative ? 1 : 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === POINT && after < 0 && digits > 0) after = 0
    else if (code < DIGIT_0 || code > DIGIT_9) return null
    else if (after >= places) {
      if (code !== DIGIT_0) return null
    } else {
      value = value * 10 + (code - DIGIT_0)
      digits += 1
      if (after >= 0) after += 1
    }
  }
  if (digits === 0 || text.endsWith('.')) return null
  const scaled = value * 10 ** (places - Math.max(after, 0))
  if (!Number.isSafeInteger(scaled)) return null
  return negative && scaled !== 0 ? -scaled : scaled
}
