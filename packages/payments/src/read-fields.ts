/** A parsed JSON object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A non-empty string, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** An amount in fen: a safe integer, not negative; else null. */
export function fenOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/

/** An RFC 3339 time with its offset (protocol §1.1), else null. */
export function timeOf(value: unknown): Date | null {
  if (typeof value !== 'string' || !RFC_3339.test(value)) return null
  const time = new Date(value)
  return Number.isNaN(time.getTime()) ? null : time
}

/** Parses JSON from UTF-8 bytes; undefined when it is not JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch {
    return undefined
  }
}
