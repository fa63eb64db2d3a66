import { isIP } from 'node:net'

/** Who asks: the browser's address and what it calls itself. */
export type Caller = { address: string; userAgent: string }

/** Set by our own server for every request (see `server/browser-address.ts`), so a browser cannot forge it. */
export const ADDRESS_HEADER = 'x-meridian-browser-address'

export function callerOf(headers: { get(name: string): string | null }): Caller {
  const address = headers.get(ADDRESS_HEADER) ?? ''
  return {
    address: isIP(address) ? address : '127.0.0.1',
    userAgent: (headers.get('user-agent') ?? '').slice(0, 256),
  }
}
