/** A parsed JSON object of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A non-empty string, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

const ID = /^[\x21-\x7e]+$/

/** An identifier of the platform: printable ASCII without spaces, within a length; else null. */
export function idOf(value: unknown, longest = 64): string | null {
  return typeof value === 'string' && value.length <= longest && ID.test(value) ? value : null
}

/** An amount in fen: a safe integer, not negative; else null. */
export function fenOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** An RFC 3339 time with its offset (protocol §1.1), else null. */
export function timeOf(value: unknown): Date | null {
  if (typeof value !== 'string') return null
  const date = dateAt(value)
  const time = timeAt(value)
  const offsetAt = afterFraction(value)
  const offset = offsetMinutes(value, offsetAt)
  if (date === null || time === null || offset === null) return null
  return new Date(date + time + fraction(value, offsetAt) - offset * 60_000)
}

// By character and not by `new Date(text)`: this stands on the way of every notification, and Date takes more forms.
function dateAt(text: string): number | null {
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 2)
  const day = digits(text, 8, 2)
  const marked =
    text.charCodeAt(4) === MINUS && text.charCodeAt(7) === MINUS && text.charCodeAt(10) === LETTER_T
  if (!marked || !(year >= 1970)) return null
  const longest =
    month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : DAYS[month - 1]
  // No other month has a length.
  return longest !== undefined && day >= 1 && day <= longest ? Date.UTC(year, month - 1, day) : null
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

function timeAt(text: string): number | null {
  const hour = digits(text, 11, 2)
  const minute = digits(text, 14, 2)
  const second = digits(text, 17, 2)
  const marked = text.charCodeAt(13) === COLON && text.charCodeAt(16) === COLON
  if (!marked || !(hour <= 23) || !(minute <= 59) || !(second <= 59)) return null
  return ((hour * 60 + minute) * 60 + second) * 1000
}

const [PLUS, MINUS, POINT, COLON, LETTER_T, LETTER_Z] = [0x2b, 0x2d, 0x2e, 0x3a, 0x54, 0x5a]
const SECONDS_END = 19
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

function afterFraction(text: string): number {
  let at = SECONDS_END
  if (text.charCodeAt(at) !== POINT) return at
  do at += 1
  while (isDigit(text.charCodeAt(at)))
  // A point without digits, or with more than there are, leaves nothing that could be an offset.
  return at === SECONDS_END + 1 || at > SECONDS_END + 10 ? text.length : at
}

const fraction = (text: string, end: number): number =>
  end === SECONDS_END ? 0 : Math.floor(Number(text.slice(SECONDS_END, end)) * 1000)

function offsetMinutes(text: string, at: number): number | null {
  const sign = text.charCodeAt(at)
  if (sign === LETTER_Z) return text.length === at + 1 ? 0 : null
  if ((sign !== PLUS && sign !== MINUS) || text.length !== at + 6 || text.charCodeAt(at + 3) !== COLON)
    return null
  const hours = digits(text, at + 1, 2)
  const minutes = digits(text, at + 4, 2)
  if (!(hours <= 23) || !(minutes <= 59)) return null
  return (sign === MINUS ? -1 : 1) * (hours * 60 + minutes)
}

/** So many digits as a number; NaN where one is none. */
export function digits(text: string, from: number, count: number): number {
  let value = 0
  for (let at = from; at < from + count; at += 1) {
    const code = text.charCodeAt(at)
    value = isDigit(code) ? value * 10 + code - 0x30 : Number.NaN
  }
  return value
}

/** Parses JSON from UTF-8 bytes; undefined when it is not JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8(bytes))
  } catch {
    return undefined
  }
}

const utf8 = (bytes: Uint8Array): string =>
  Buffer.isBuffer(bytes)
    ? bytes.toString('utf8')
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
