export type Visitor = {
  method: string
  /** The `Origin` and `Sec-Fetch-Site` headers; null when the browser sent none. */
  origin: string | null
  fetchSite: string | null
}

/**
 * Whether a request for data comes from another site. Reading may lack the headers (a browser omits `Origin`
 * on its own GETs); anything with an effect must prove by one of them that it comes from our own pages.
 */
export function isForeign({ method, origin, fetchSite }: Visitor, consoleOrigin: string): boolean {
  if (origin !== null && origin !== consoleOrigin) return true
  if (method === 'GET') return fetchSite !== null && fetchSite !== 'same-origin' && fetchSite !== 'none'
  if (fetchSite !== null) return fetchSite !== 'same-origin'
  return origin === null
}

export const visitorOf = (request: Request): Visitor => ({
  method: request.method,
  origin: request.headers.get('origin'),
  fetchSite: request.headers.get('sec-fetch-site'),
})
