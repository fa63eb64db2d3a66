import type { IncomingHttpHeaders } from 'node:http'

/** Whether a page of another origin sends this: browsers say so by `Sec-Fetch-Site` or `Origin`, programs send neither. */
export function isForeign(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  const { origin, host } = headers
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host)
}
