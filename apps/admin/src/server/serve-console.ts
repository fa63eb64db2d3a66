import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import path from 'node:path'
import { inheritedSockets, listenOn } from '@meridian/process/inherited-sockets'
import { profileOnSignal } from '@meridian/process/profile-on-signal'
import { readEnvironment } from '@meridian/process/read-environment'
import { takeConsole } from '@meridian/process/take-console'
import { openTracing, readTraceSettings, type Tracing } from '@meridian/tracing'
import next from 'next'
import { z } from 'zod'
import { type Config, ConfigError, config } from '../config.ts'
import { writeLog } from '../log.ts'
import { ADDRESS_HEADER } from '../session/console-token.ts'
import { answerHealth, type Readiness } from './answer-health.ts'
import { drainOnSignal } from './drain-console.ts'
import { guardPages, knownPaths } from './guard-pages.ts'
import { browserAddressReader, measureConsole, metricsServer, openServer } from './http-servers.ts'
import { readRoutes } from './read-routes.ts'
import { watchRequests } from './watch-requests.ts'

/** The folder that holds the build; this file runs out of `dist`. */
const FOLDER = path.join(import.meta.dirname, '..')

const Built = z.object({ config: z.record(z.string(), z.unknown()) })

/**
 * Next takes its configuration as its build wrote it down, by the variable that its own standalone server uses: to read
 * `next.config.ts` again it would need a compiler, which does not ship.
 */
function giveBuiltConfig(): void {
  const text = readFileSync(path.join(FOLDER, '.next/required-server-files.json'), 'utf8')
  process.env['__NEXT_PRIVATE_STANDALONE_CONFIG'] = JSON.stringify(Built.parse(JSON.parse(text)).config)
}

/** For who starts the program: plain lines, as the API ends with them. */
function fail(lines: readonly string[]): never {
  process.stderr.write(lines.map((line) => `${line}\n`).join(''))
  process.exit(1)
}

function readSettings(): Config {
  try {
    return config()
  } catch (error) {
    if (error instanceof ConfigError) fail(error.problems)
    throw error
  }
}

const isErrno = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** Null where traces are off; then no library is loaded. */
async function openTraces(): Promise<Tracing | null> {
  const { settings, problems } = readTraceSettings(
    readEnvironment(process.env).environment,
    'meridian-console',
  )
  if (problems.length > 0) fail(problems)
  if (!settings) return null
  return openTracing(settings, (failure) =>
    writeLog('warn', 'traces are not taken', { component: 'traces', ...failure }),
  )
}

async function listen(server: Server, { port, host }: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(listenOn(inheritedSockets(process.env).http, { port, host }), resolve)
  }).catch((error: unknown) => {
    if (isErrno(error, 'EADDRINUSE')) fail([`ADMIN_PORT ${port} is taken by another program on ${host}`])
    fail([`The console cannot listen on ${host}:${port}: ${error instanceof Error ? error.message : error}`])
  })
}

/** A console that cannot be measured still serves, and says so. */
function serveMetrics(server: Server, { metrics: { port, host }, build }: Config): void {
  const listener = metricsServer(measureConsole(server, build))
  listener.on('error', () =>
    writeLog('warn', `no metrics: ADMIN_METRICS_PORT ${port} on ${host} cannot be listened on`),
  )
  listener.listen(port, host)
  // What only measures does not keep the program from ending.
  listener.unref()
}

async function serve(): Promise<void> {
  const settings = readSettings()
  takeConsole(writeLog)
  profileOnSignal({
    name: 'meridian-console',
    folder: process.env['PROFILE_DIR'] || undefined,
    log: (level, told, text) => writeLog(level, text, told),
  })
  const traces = await openTraces()
  const server = openServer()
  // Before Next is prepared, so that a busy port is said at once.
  await listen(server, settings)
  serveMetrics(server, settings)
  giveBuiltConfig()
  const app = next({
    dev: false,
    dir: FOLDER,
    hostname: settings.host,
    port: portOf(server) ?? settings.port,
    httpServer: server,
  })
  const routeOf = readRoutes(FOLDER)
  const answer = guardPages(app.getRequestHandler(), knownPaths(routeOf))
  const watch = watchRequests(traces, routeOf)
  const readiness: Readiness = { prepared: false, draining: false }
  const closeAll = async () => void (await Promise.allSettled([app.close(), traces?.stop()]))
  drainOnSignal({ server, readiness, drainMs: settings.drainSeconds * 1000, closeNext: closeAll })
  const ready = app.prepare()
  const addressOf = browserAddressReader(settings.trustedProxies)
  server.on('request', async (request, response) => {
    if (answerHealth(request, response, readiness)) return
    const forwarded = request.headers['x-forwarded-for']
    const address = addressOf(request.socket.remoteAddress, forwarded?.toString())
    request.headers[ADDRESS_HEADER] = address
    await ready
    await watch({ request, response, address }, answer)
  })
  await ready
  readiness.prepared = true
  writeLog('info', 'console ready', { url: settings.consoleUrl, port: portOf(server) })
}

function portOf(server: Server): number | null {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : null
}

await serve()
