import { createHmac } from 'node:crypto'

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => base32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** What an authenticator shows at that time (RFC 6238), worked out without the program under test. */
export function codeAt(secret: string, atMs = Date.now()): string {
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)))
  const mac = createHmac('sha1', bytesOf(secret)).update(step).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return `${(mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000}`.padStart(6, '0')
}
