import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: Uint8Array.from(bytes).buffer })
const authenticator = (bytes: Uint8Array, label = '') =>
  new TOTP({ issuer: 'Meridian', label, secret: secretOf(bytes) })

/** As long as the hash it feeds, as RFC 4226 recommends. */
export const newTotpSecret = (): Uint8Array => Uint8Array.from(randomBytes(20))

/** The secret as an authenticator takes it by hand, and by a picture. */
export const describeTotp = (bytes: Uint8Array, email: string) => ({
  secret: secretOf(bytes).base32,
  uri: authenticator(bytes, email).toString(),
})

/** The time step (RFC 6238, 30 s) whose code this is: the present one or one beside it; null when it is of none. */
export function stepOfCode(bytes: Uint8Array, code: string, now = Date.now()): number | null {
  const totp = authenticator(bytes)
  const delta = totp.validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? null : totp.counter({ timestamp: now }) + delta
}

/** The code an authenticator shows at that time. */
export const codeAt = (bytes: Uint8Array, now = Date.now()): string =>
  authenticator(bytes).generate({ timestamp: now })
