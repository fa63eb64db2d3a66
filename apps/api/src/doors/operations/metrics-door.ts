import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** What is counted while the program runs; read by Prometheus on a port of its own. */
export function openMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'meridian_http_request_seconds',
    help: 'Duration of HTTP requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const notifications = new Counter({
    name: 'meridian_payment_notifications_total',
    help: 'Payment notifications by answer',
    labelNames: ['status'],
    registers: [registry],
  })
  return { registry, requests, notifications }
}
export type Metrics = ReturnType<typeof openMetrics>

/** Measures every request of the app. */
export function measureRequests(app: FastifyInstance, { requests, notifications }: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (route === '/api/v1/payment/notify') notifications.inc({ status: reply.statusCode })
  })
}

/** Serves the metrics, never on the public port. */
export function metricsServer({ registry }: Metrics): Server {
  return createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
}
