import { PaymentsError } from '../payments-error.ts'

/** Throws PaymentsError `malformed_answer` beyond the limit. */
export async function* atMost(limit: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const piece of bytes) {
    length += piece.length
    if (length > limit) throw new PaymentsError('malformed_answer', { about: 'the bill is too long' })
    yield piece
  }
}

/** The body piece by piece, in the terms that servers and browsers share. */
export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel()
  }
}
