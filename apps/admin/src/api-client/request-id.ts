import { randomUUID } from 'node:crypto'

export const REQUEST_ID_HEADER = 'x-request-id'

/** The request id a browser or proxy gave, when it is harmless to log; else a new one. */
export function requestIdOf(headers: { get(name: string): string | null }): string {
  const given = headers.get(REQUEST_ID_HEADER) ?? ''
  return /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
}
