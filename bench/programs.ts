import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { scheduler } from 'node:timers/promises'
import { freePort } from '../apps/api/test/world/free-port.ts'
import { config } from './config.ts'
import type { BenchWorld } from './open-world.ts'

export type Program = { port: number; pid: number; stop: () => Promise<void> }

type Start = {
  /** Where others are told to find it; without, any free port. */
  port?: number
  command: (port: number) => string[]
  ready: string
  environment: Record<string, string>
  logFile: string
}

async function start({ port: wanted, command, ready, environment, logFile }: Start): Promise<Program> {
  const port = wanted ?? (await freePort())
  const log = openSync(logFile, 'a')
  const child = spawn(process.execPath, [...profiling, ...command(port)], {
    env: { PATH: config.searchPath, ...environment, PORT: String(port) },
    stdio: ['ignore', log, log],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  await untilReady(`http://127.0.0.1:${port}${ready}`, child)
  return { port, pid: child.pid ?? 0, stop: () => stop(child) }
}

const profiling = config.profilesIn ? ['--cpu-prof', `--cpu-prof-dir=${config.profilesIn}`] : []

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    await scheduler.wait(50)
  }
  throw new Error(`a program ended before it was ready: ${url}`)
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** The API as it ships, in a process of its own, its log in a file. */
export const startApi = (
  { environment, folder }: BenchWorld,
  more: Record<string, string> = {},
): Promise<Program> =>
  start({
    command: () => [join(import.meta.dirname, '../../../apps/api/dist/main.js')],
    ready: '/readyz',
    environment: { ...environment, ...more },
    logFile: join(folder, 'api.log'),
  })

/** The console as it ships, at a port that the API was told of. */
export const startConsole = (
  { environment, folder }: BenchWorld,
  { port, apiPort }: { port: number; apiPort: number },
): Promise<Program> =>
  start({
    port,
    command: () => [join(import.meta.dirname, '../../../apps/admin/start.mjs')],
    ready: '/sign-in',
    environment: {
      ...environment,
      ADMIN_PORT: `${port}`,
      API_URL: `http://127.0.0.1:${apiPort}`,
      CONSOLE_URL: `http://127.0.0.1:${port}`,
    },
    logFile: join(folder, 'console.log'),
  })

/** A bare Fastify that verifies what it is sent and answers 204. */
export const startBareServer = ({ keyFile, folder }: BenchWorld): Promise<Program> =>
  start({
    command: (port) => [join(import.meta.dirname, 'bare-server.js'), String(port), keyFile],
    ready: '/',
    environment: {},
    logFile: join(folder, 'bare.log'),
  })
