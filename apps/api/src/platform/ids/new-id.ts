import { randomBytes, randomFillSync } from 'node:crypto'
import { ulid } from 'ulid'

/** A UUID of version 7 (RFC 9562): its first 48 bits are the time in milliseconds, so that indexes grow at one end. */
export function newId(): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Random bytes drawn ahead: a draw of one costs nearly as much as a draw of them all, and a ULID takes sixteen. */
const drawn = Buffer.alloc(4096)
let used = drawn.length

function randomByte(): number {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  return drawn[used++] ?? 0
}

/** A ULID: 48 bits of time in milliseconds, then 80 random ones, as 26 characters of `[0-9A-Z]`. */
export const newUlid = (): string => ulid(undefined, () => randomByte() / 256)
