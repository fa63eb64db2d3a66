import { randomUUID } from 'node:crypto'

export const REQUEST_ID_HEADER = 'x-request-id'

/** The request id a browser or proxy gave, when it is harmless to log; else a new one. */
export function requestIdOf(headers: { get(name: string): string | null }): string {
  const given = headers.get(REQUEST_ID_HEADER) ?? ''
  return /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
}

type Visitor = {
  method: string
  /** The `Origin` and `Sec-Fetch-Site` headers; null when the browser sent none. */
  origin: string | null
  fetchSite: string | null
}

/**
 * Whether a request for data comes from another site. Reading may lack the headers (a browser omits `Origin`
 * on its own GETs); anything with an effect must prove by one of them that it comes from our own pages.
 */
export function isForeign({ method, origin, fetchSite }: Visitor, consoleOrigin: string): boolean {
  if (origin !== null && origin !== consoleOrigin) return true
  if (method === 'GET') return fetchSite !== null && fetchSite !== 'same-origin' && fetchSite !== 'none'
  if (fetchSite !== null) return fetchSite !== 'same-origin'
  return origin === null
}

export const visitorOf = (request: Request): Visitor => ({
  method: request.method,
  origin: request.headers.get('origin'),
  fetchSite: request.headers.get('sec-fetch-site'),
})

/** Reads a request's body; null as soon as it proves longer than `limitBytes`, whatever length it declares. */
export async function readBounded(
  request: Request,
  limitBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) return null
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  while (reader) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.byteLength
    if (length > limitBytes) {
      await reader.cancel()
      return null
    }
    chunks.push(value)
  }
  const body = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    body.set(chunk, offset)
    offset += chunk.byteLength
  }
  return body
}
