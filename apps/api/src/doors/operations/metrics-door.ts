import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { WorkerEvents } from 'graphile-worker'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { invariantNames } from '../../invariants/check-invariants.ts'

const requestsIn = (registry: Registry) =>
  new Histogram({
    name: 'meridian_http_request_seconds',
    help: 'Duration of HTTP requests',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })

const counterIn = (
  registry: Registry,
  name: string,
  { help, labelNames }: { help: string; labelNames: string[] },
) => new Counter({ name: `meridian_${name}`, help, labelNames, registers: [registry] })

function violationsIn(registry: Registry) {
  const gauge = new Gauge({
    name: 'meridian_invariant_violations',
    help: 'Violations found by the last check',
    labelNames: ['invariant'],
    registers: [registry],
  })
  for (const invariant of invariantNames) gauge.set({ invariant }, 0)
  return (violations: readonly { invariant: string }[]) => {
    for (const invariant of invariantNames)
      gauge.set({ invariant }, violations.filter((violation) => violation.invariant === invariant).length)
  }
}

/** What is counted while the program runs; read by Prometheus on a port of its own. */
export function openMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const jobs = counterIn(registry, 'jobs_total', { help: 'Jobs by end', labelNames: ['job', 'end'] })
  return {
    registry,
    requests: requestsIn(registry),
    notifications: counterIn(registry, 'payment_notifications_total', {
      help: 'Payment notifications by answer',
      labelNames: ['status'],
    }),
    showViolations: violationsIn(registry),
    countJobs: (events: WorkerEvents) => {
      events.on('job:success', ({ job }) => jobs.inc({ job: job.task_identifier, end: 'success' }))
      events.on('job:error', ({ job }) => jobs.inc({ job: job.task_identifier, end: 'error' }))
      events.on('job:failed', ({ job }) => jobs.inc({ job: job.task_identifier, end: 'failed' }))
    },
  }
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
