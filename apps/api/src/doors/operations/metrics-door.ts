import { createServer, type Server } from 'node:http'
import type { Pool } from '@meridian/db'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { invariantNames } from '../../invariants/check-invariants.ts'
import type { Services } from '../../services.ts'
import { countObservations, countOrders, measureJobs } from './event-metrics.ts'
import { showState } from './state-gauges.ts'

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

/** What a notification is answered where all is well, where it is refused for good, and where we fail. */
const watchedAnswers = [204, 400, 409, 500, 503]

function notificationsIn(registry: Registry) {
  const counter = counterIn(registry, 'payment_notifications_total', {
    help: 'Payment notifications by answer',
    labelNames: ['status'],
  })
  // A series that begins with its first event is not seen by `increase`.
  for (const status of watchedAnswers) counter.inc({ status }, 0)
  return counter
}

/** What is counted while the program runs; read by Prometheus on a port of its own. */
export function openMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const pools = new Map<string, Pool>()
  const showObservations = countObservations(registry)
  const showStateOf = showState(registry, pools)
  countOrders(registry)
  return {
    registry,
    requests: requestsIn(registry),
    notifications: notificationsIn(registry),
    showViolations: violationsIn(registry),
    countJobs: measureJobs(registry),
    /** Shows how many connections of a pool are in use. */
    showPool: (name: string, pool: Pool) => pools.set(name, pool),
    /** Counts what these services see of the world, and shows how they are. */
    showServices: (services: Services) => {
      showObservations(services.observations)
      showStateOf(services)
      for (const [door, { pool }] of Object.entries(services.doors)) pools.set(door, pool)
      pools.set('alarms', services.alarmPool)
      if (services.replica) pools.set('replica', services.replica.doors.console.pool)
      if (services.replica) pools.set('replica_phones', services.replica.doors.phones.pool)
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
