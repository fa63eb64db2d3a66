import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { RunningJobs } from './doors/jobs/job-door.ts'
import type { Readiness } from './doors/operations/health-door.ts'
import type { Services } from './services.ts'

type Running = {
  app: FastifyInstance
  jobs: RunningJobs | null
  metricsListener: Server
  services: Services
  readiness: Readiness
}

const patienceMs = 25_000
const sameRequestMs = 5000

/** Not ready any more, then finish what is under way, then let go. */
async function drain({ app, jobs, metricsListener, services, readiness }: Running): Promise<void> {
  readiness.draining = true
  await delay(services.config.DRAIN_SECONDS * 1000)
  await Promise.all([app.close(), jobs?.stop()])
  await services.database.close()
  metricsListener.close()
}

/** Ends the program in order on SIGTERM or SIGINT. The same signal again within five seconds is the same request. */
export function drainOnSignal(running: Running): void {
  const { log } = running.services
  let askedAt = 0
  const stop = (signal: NodeJS.Signals) => {
    if (askedAt > 0) {
      if (Date.now() - askedAt > sameRequestMs) process.exit(1)
      return
    }
    askedAt = Date.now()
    log.info({ signal }, 'draining')
    setTimeout(() => process.exit(1), patienceMs + running.services.config.DRAIN_SECONDS * 1000).unref()
    drain(running).then(
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
