import { createServer, type Server } from 'node:http'

/** A request must be here as a whole within this, headers and body: as the API has it. */
const requestTimeoutMs = 30_000
/** An idle connection is kept this long, as the API keeps it. */
const keepAliveMs = 65_000

/**
 * What a browser is told with every answer, whoever makes it: https only for a year, and nothing is loaded by it nor
 * framed by anybody (ASVS 3.4.1, 3.4.6). A page replaces the policy by its own (`proxy.ts`).
 */
const answerHeaders = {
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Content-Security-Policy': `default-src 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

/** A server that closes who dawdles: half a request keeps no connection longer than a whole one may take. */
export function openServer(timeoutMs = requestTimeoutMs): Server {
  const server = createServer({
    requestTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, timeoutMs),
  })
  server.on('request', (_request, response) => {
    for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value)
  })
  return server
}
