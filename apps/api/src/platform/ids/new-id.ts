import { randomFillSync } from 'node:crypto'
import { ulid } from 'ulid'

/** Random bytes drawn ahead: a draw of a few costs nearly as much as a draw of them all. */
const drawn = Buffer.alloc(4096)
let used = drawn.length

/** The next so many random bytes, each handed out once. */
function draw(count: number): Buffer {
  if (used + count > drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += count
  return drawn.subarray(used - count, used)
}

/** A UUID of version 7 (RFC 9562): its first 48 bits are the time in milliseconds, so that indexes grow at one end. */
export function newId(): string {
  const bytes = Buffer.from(draw(16))
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A ULID: 48 bits of time in milliseconds, then 80 random ones, as 26 characters of `[0-9A-Z]`. */
export const newUlid = (): string => ulid(undefined, () => (draw(1)[0] ?? 0) / 256)
