import { createServer, type Server } from 'node:http'
import { plainAddress, proxyReader } from '@meridian/contracts/addresses'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Build } from '../config.ts'

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

const requestsIn = (registry: Registry) =>
  new Histogram({
    name: 'meridian_console_request_seconds',
    help: 'Duration of requests to the console',
    labelNames: ['method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })

/** Methods that exist; whatever else is asked is one label, so that nobody can make up many. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])

/** Measures every request of the console, and the process that serves it. */
export function measureConsole(server: Server, { version, commit }: Build): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const build = { version, commit, node: process.version, role: 'console' }
  new Gauge({
    name: 'meridian_build_info',
    help: 'What runs',
    labelNames: ['version', 'commit', 'node', 'role'],
    registers: [registry],
  }).set(build, 1)
  const requests = requestsIn(registry)
  server.on('request', ({ method = '' }, response) => {
    const started = performance.now()
    response.once('close', () => {
      const labels = { method: methods.has(method) ? method : 'other', status: response.statusCode }
      requests.observe(labels, (performance.now() - started) / 1000)
    })
  })
  return registry
}

/** Serves the metrics on a port of their own, never on the public one. */
export const metricsServer = (registry: Registry): Server =>
  createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })

type AddressOf = (socketAddress: string | undefined, forwardedFor: string | undefined) => string

/**
 * Finds the browser's address: the socket's, or, behind trusted proxies only, the last entry of
 * `X-Forwarded-For` that is not itself a trusted proxy.
 */
export function browserAddressReader(trustedProxies: readonly string[]): AddressOf {
  const isTrusted = proxyReader(trustedProxies)
  return (socketAddress, forwardedFor) => {
    const chain = (forwardedFor ?? '').split(',').filter((entry) => entry.trim())
    let address = plainAddress(socketAddress ?? '') ?? ''
    while (isTrusted(address)) {
      const before = plainAddress(chain.pop() ?? '')
      if (before === null) break
      address = before
    }
    return address
  }
}
