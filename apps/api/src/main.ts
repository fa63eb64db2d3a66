import { once } from 'node:events'
import { systemRuntime } from '@meridian/payments'
import { inheritedSockets, listenOn } from '@meridian/process/inherited-sockets'
import { profileOnSignal } from '@meridian/process/profile-on-signal'
import { takeConsole } from '@meridian/process/take-console'
import { traceFields } from '@meridian/tracing'
import { keepAlertsSent } from './alerts/delivery/keep-alerts-sent.ts'
import { buildApp } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { tellDigest } from './dashboard/tell-digest.ts'
import { keepHealed } from './doors/jobs/heal-after-switch.ts'
import { keepJobsRunning } from './doors/jobs/keep-jobs-running.ts'
import { drainOnSignal } from './doors/operations/drain.ts'
import { type Readiness, untilReady } from './doors/operations/health-door.ts'
import { metricsServer, openMetrics } from './doors/operations/metrics-door.ts'
import { openTraces } from './doors/operations/open-traces.ts'
import { keepEventsSent } from './events/keep-events-sent.ts'
import { tellRequests } from './inbox/tell-requests.ts'
import { keepWatching } from './monitoring/keep-watching.ts'
import { openLog } from './platform/log.ts'
import { atDoor, openServices } from './services.ts'
import { checkPooler } from './startup/check-pooler.ts'
import { checkClock, checkDataKeys, checkErasures } from './startup/start-checks.ts'
import { warnOfDatabase } from './startup/warn-of-database.ts'

/** config → services → app → listen → drain */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(config.LOG_LEVEL, config.traces ? { mixin: traceFields } : {})
  profileOnSignal({
    name: 'meridian-api',
    folder: config.PROFILE_DIR,
    log: (level, told, text) => log[level](told, text),
  })
  const traces = await openTraces(config.traces, log)
  takeConsole((level, text) => log[level]({ component: 'package' }, text))
  const services = openServices(config, log, systemRuntime)
  if (config.platform === 'sandbox') log.warn('the payment platform is a sandbox: no real money moves')
  await checkPooler(services, stopWith)
  await checkClock(services, stopWith)
  await checkDataKeys(services, stopWith)
  void warnOfDatabase(services)
  void checkErasures(services)
  const readiness: Readiness = { draining: false }
  const metrics = openMetrics()
  const app = await buildApp(services, { readiness, metrics, traces })
  const metricsListener = metricsServer(metrics)
  const sockets = inheritedSockets(process.env)
  metricsListener.listen(listenOn(sockets.metrics, { port: config.METRICS_PORT, host: config.METRICS_HOST }))
  await once(metricsListener, 'listening')
  await app.listen(listenOn(sockets.http, { port: config.PORT, host: config.HOST }))
  const jobs = config.MERIDIAN_ROLE === 'api' ? null : keepJobsRunning(services, metrics)
  if (jobs) readiness.hasQueue = jobs.hasQueue
  const alarms = keepAlertsSent(services, { sources: [tellRequests, tellDigest] })
  const events = config.MERIDIAN_ROLE === 'api' ? null : keepEventsSent(services)
  const watch = keepWatching(services)
  const healing = keepHealed(services)
  services.databaseState.keepAsking()
  drainOnSignal({ app, jobs, alarms, events, watch, healing, metricsListener, services, readiness, traces })
  await jobs?.looked
  await untilReady(atDoor(services, 'payments'), readiness)
}

function explain(error: unknown): string {
  if (error instanceof ConfigError)
    return error.problems.map((problem) => `meridian-api: ${problem}`).join('\n')
  if (!(error instanceof Error)) return 'meridian-api: could not start'
  if ('code' in error && error.code === 'EADDRINUSE' && 'port' in error)
    return `meridian-api: port ${String(error.port)} is in use (PORT or METRICS_PORT)`
  if ('code' in error && ['EADDRNOTAVAIL', 'ENOTFOUND', 'EACCES'].includes(String(error.code)))
    return 'meridian-api: HOST or METRICS_HOST, or their ports, cannot be listened on'
  return `meridian-api: could not start: ${error.message}`
}

function stopWith(error: unknown): never {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

main().catch(stopWith)
