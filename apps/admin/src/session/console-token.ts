import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'

/** Who asks: the browser's address and what it calls itself. */
type Caller = { address: string; userAgent: string }

/** Set by our own server for every request (see `server/browser-address.ts`), so a browser cannot forge it. */
export const ADDRESS_HEADER = 'x-meridian-browser-address'

export function callerOf(headers: { get(name: string): string | null }): Caller {
  const address = headers.get(ADDRESS_HEADER) ?? ''
  return {
    address: isIP(address) ? address : '127.0.0.1',
    userAgent: (headers.get('user-agent') ?? '').slice(0, 256),
  }
}

const LIFETIME_SECONDS = 60

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')

/**
 * The JWT (HS256) that opens the API's private door for one request: it proves that the console speaks and
 * carries the browser's address and user agent. Valid for 60 s.
 */
export function signConsoleToken(caller: Caller, { secret, now }: { secret: string; now: Date }): string {
  const issuedAt = Math.floor(now.getTime() / 1000)
  const claims = {
    aud: 'meridian-console',
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
    address: caller.address,
    user_agent: caller.userAgent,
  }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
