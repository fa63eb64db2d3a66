import { createServer, type Server } from 'node:http'

/** A request must be here as a whole within this, headers and body: as the API has it. */
const requestTimeoutMs = 30_000
/** An idle connection is kept this long, as the API keeps it. */
const keepAliveMs = 65_000

/** A server that closes who dawdles: half a request keeps no connection longer than a whole one may take. */
export const openServer = (timeoutMs = requestTimeoutMs): Server =>
  createServer({
    requestTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(1000, timeoutMs),
  })
