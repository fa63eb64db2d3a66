import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Tracing } from '@meridian/tracing'
import type { FastifyInstance } from 'fastify'
import { closeServices, type Services } from '../../services.ts'
import type { RunningJobs } from '../jobs/job-door.ts'
import type { Readiness } from './health-door.ts'

type Running = {
  app: FastifyInstance
  jobs: Pick<RunningJobs, 'stop'> | null
  alarms: { stop: () => Promise<void> }
  watch: { stop: () => Promise<void> }
  metricsListener: Server
  services: Services
  readiness: Readiness
  traces: Pick<Tracing, 'stop'> | null
}

const patienceMs = 25_000
const sameRequestMs = 5000

/** Connections on which nothing was asked yet: Node takes them for busy ones, and closing would wait for them. */
function watchSilentConnections(server: Server): Set<Socket> {
  const silent = new Set<Socket>()
  server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => silent.delete(socket))
  return silent
}

/** Not ready any more, then finish what is under way, then let go. */
async function drain(running: Running, silent: ReadonlySet<Socket>): Promise<void> {
  const { app, jobs, alarms, watch, metricsListener, services, readiness, traces } = running
  readiness.draining = true
  await delay(services.config.DRAIN_SECONDS * 1000)
  const closed = app.close()
  for (const socket of silent) socket.destroy()
  await Promise.all([closed, jobs?.stop(), alarms.stop(), watch.stop()])
  await Promise.all([closeServices(services), traces?.stop()])
  metricsListener.close()
}

/** Ends the program in order on SIGTERM or SIGINT. The same signal again within five seconds is the same request. */
export function drainOnSignal(running: Running): void {
  const { log } = running.services
  const silent = watchSilentConnections(running.app.server)
  let askedAt = 0
  const stop = (signal: NodeJS.Signals) => {
    if (askedAt > 0) {
      if (Date.now() - askedAt > sameRequestMs) process.exit(1)
      return
    }
    askedAt = Date.now()
    log.info({ signal }, 'draining')
    setTimeout(() => process.exit(1), patienceMs + running.services.config.DRAIN_SECONDS * 1000).unref()
    drain(running, silent).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'drain failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
