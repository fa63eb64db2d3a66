import { createHash, randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const keyBytes = 32
/** As many digits of base 62 as 32 bytes may need: 62^43 is more than 2^256. */
const keyDigits = 43

function toBase62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  while (text.length < keyDigits) {
    text = alphabet.charAt(Number(rest % 62n)) + text
    rest /= 62n
  }
  return text
}

/** What the text of a key looks like: `mk_` and 32 random bytes in base 62 (SPEC §17). */
export const isKeyText = (text: string): boolean => /^mk_[0-9A-Za-z]{43}$/.test(text)

export const newKeyText = (): string => `mk_${toBase62(randomBytes(keyBytes))}`

/** The first characters, by which its holder knows a key again; the 222 bits behind them stay unknown. */
export const hintOf = (key: string): string => key.slice(0, 9)

/** What is kept of a key: 256 bits of chance need no slow hash. */
export const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest()
