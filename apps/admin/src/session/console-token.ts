import { createHmac } from 'node:crypto'
import type { Caller } from './caller.ts'

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
