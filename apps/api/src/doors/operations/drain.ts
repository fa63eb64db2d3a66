import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { stopOnSignal, watchSilentConnections } from '@meridian/process/drain-server'
import type { Tracing } from '@meridian/tracing'
import type { FastifyInstance } from 'fastify'
import { closeServices, type Services } from '../../services.ts'
import type { RunningJobs } from '../jobs/job-door.ts'
import type { Readiness } from './health-door.ts'

type Running = {
  app: FastifyInstance
  jobs: Pick<RunningJobs, 'stop'> | null
  alarms: { stop: () => Promise<void> }
  events: { stop: () => Promise<void> } | null
  watch: { stop: () => Promise<void> }
  healing: { stop: () => Promise<void> }
  metricsListener: Server
  services: Services
  readiness: Readiness
  traces: Pick<Tracing, 'stop'> | null
}

const patienceMs = 25_000

/** Not ready any more, then finish what is under way, then let go. */
async function drain(running: Running, silent: ReadonlySet<Socket>): Promise<void> {
  const { app, jobs, alarms, events, watch, healing, metricsListener, services, readiness, traces } = running
  readiness.draining = true
  await delay(services.config.DRAIN_SECONDS * 1000)
  const closed = app.close()
  for (const socket of silent) socket.destroy()
  await Promise.all([closed, jobs?.stop(), alarms.stop(), events?.stop(), watch.stop(), healing.stop()])
  await Promise.all([closeServices(services), traces?.stop()])
  metricsListener.close()
}

/** Ends the program in order on SIGTERM or SIGINT. */
export function drainOnSignal(running: Running): void {
  const { log, config } = running.services
  const silent = watchSilentConnections(running.app.server)
  stopOnSignal({
    withinMs: patienceMs + config.DRAIN_SECONDS * 1000,
    stop: (signal) => {
      log.info({ signal }, 'draining')
      return drain(running, silent)
    },
    onFailure: (error) => log.error({ err: error }, 'drain failed'),
  })
}
