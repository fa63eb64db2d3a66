import type { Server } from 'node:http'
import path from 'node:path'
import { inheritedSockets, listenOn } from '@meridian/process/inherited-sockets'
import { profileOnSignal } from '@meridian/process/profile-on-signal'
import { readEnvironment } from '@meridian/process/read-environment'
import { takeConsole } from '@meridian/process/take-console'
import { openTracing, readTraceSettings, type Tracing } from '@meridian/tracing'
import next from 'next'
import { type Config, ConfigError, config } from '../config.ts'
import { writeLog } from '../log.ts'
import { ADDRESS_HEADER } from '../session/console-token.ts'
import { guardPages, knownPaths } from './guard-pages.ts'
import { browserAddressReader, measureConsole, metricsServer, openServer } from './http-servers.ts'
import { readRoutes } from './read-routes.ts'
import { watchRequests } from './watch-requests.ts'

/** Leaves the process five of the twenty-five seconds it has. */
const DRAIN_MS = 20_000
/** A terminal and npm each pass on the same Ctrl-C. */
const SAME_REQUEST_MS = 5_000

/** Ends the process on SIGTERM or SIGINT: no new requests, those under way are finished, exit 0. */
function stopGracefully(server: Server, closeNext: () => Promise<void>): void {
  let askedAt: number | null = null

  const stop = async () => {
    const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeIdleConnections()
    await closed
    clearTimeout(cutOff)
    await closeNext().catch(() => undefined)
    process.exit(0)
  }
  const ask = () => {
    const now = Date.now()
    if (askedAt === null) {
      askedAt = now
      void stop()
    } else if (now - askedAt > SAME_REQUEST_MS) {
      process.exit(0)
    }
  }
  process.on('SIGTERM', ask)
  process.on('SIGINT', ask)
}

/** The folder that holds the build; this file runs out of `dist`. */
const FOLDER = path.join(import.meta.dirname, '..')

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
function serveMetrics(server: Server, { metrics: { port, host } }: Config): void {
  const listener = metricsServer(measureConsole(server))
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
  const ready = app.prepare()
  const addressOf = browserAddressReader(settings.trustedProxies)
  server.on('request', async (request, response) => {
    const forwarded = request.headers['x-forwarded-for']
    const address = addressOf(request.socket.remoteAddress, forwarded?.toString())
    request.headers[ADDRESS_HEADER] = address
    await ready
    await watch({ request, response, address }, answer)
  })
  stopGracefully(server, async () => {
    await Promise.allSettled([app.close(), traces?.stop()])
  })
  await ready
  writeLog('info', 'console ready', { url: settings.consoleUrl, port: portOf(server) })
}

function portOf(server: Server): number | null {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : null
}

await serve()
