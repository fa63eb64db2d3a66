import { join } from 'node:path'
import { type OpenSocket, openSocket, startProgram } from '@meridian/process'
import { config } from './config.ts'
import type { BenchWorld } from './open-world.ts'

export type Program = { port: number; pid: number; logFile: string; stop: () => Promise<void> }

type Start = {
  /** Where others were told to find it; without, any address. */
  http?: OpenSocket
  command: readonly string[]
  ready: string
  environment: Record<string, string>
  logFile: string
}

const profiling = config.profilesIn ? ['--cpu-prof', `--cpu-prof-dir=${config.profilesIn}`] : []

async function start({ http: given, command, ready, environment, logFile }: Start): Promise<Program> {
  const http = given ?? (await openSocket())
  const program = await startProgram({
    command: [...profiling, ...command],
    env: { PATH: config.searchPath, ...environment, PORT: String(http.port) },
    sockets: { http },
    ready: `${http.url}${ready}`,
    logFile,
  })
  return { port: http.port, pid: program.process.pid ?? 0, logFile, stop: program.stop }
}

/** The API as it ships, in a process of its own, its log in a file. */
export const startApi = (
  { environment, folder }: BenchWorld,
  more: Record<string, string> = {},
): Promise<Program> =>
  start({
    command: [join(import.meta.dirname, '../../../apps/api/dist/main.js')],
    ready: '/readyz',
    environment: { ...environment, ...more },
    logFile: join(folder, 'api.log'),
  })

/** The API as it ships, which writes into its log for how long it stood still when it is sent SIGCONT. */
export const startWatchedApi = ({ environment, folder }: BenchWorld): Promise<Program> =>
  start({
    command: [
      '--import',
      join(import.meta.dirname, '../../../apps/api/test/interface/malformed/watch-event-loop.mjs'),
      join(import.meta.dirname, '../../../apps/api/dist/main.js'),
    ],
    ready: '/readyz',
    environment,
    logFile: join(folder, 'watched-api.log'),
  })

/** The console as it ships, at an address that the API was told of. */
export const startConsole = (
  { environment, folder }: BenchWorld,
  { http, apiPort }: { http: OpenSocket; apiPort: number },
): Promise<Program> =>
  start({
    http,
    command: [join(import.meta.dirname, '../../../apps/admin/start.mjs')],
    ready: '/sign-in',
    environment: {
      ...environment,
      API_URL: `http://127.0.0.1:${apiPort}`,
      CONSOLE_URL: http.url,
    },
    logFile: join(folder, 'console.log'),
  })

/** The HTTP server of the API with a bare look-up beside its own routes. */
export const startLookUpServer = ({ environment, folder }: BenchWorld): Promise<Program> =>
  start({
    command: [join(import.meta.dirname, 'look-up-server.js')],
    ready: '/healthz',
    environment,
    logFile: join(folder, 'look-up.log'),
  })

/** A bare Fastify that verifies what it is sent and answers 204. */
export const startBareServer = ({ keyFile, folder }: BenchWorld): Promise<Program> =>
  start({
    command: [join(import.meta.dirname, 'bare-server.js'), keyFile],
    ready: '/',
    environment: {},
    logFile: join(folder, 'bare.log'),
  })
