import { join } from 'node:path'
import { type Program, startProgram } from '@meridian/process'
import { config } from './config.ts'
import { ports, replicaUrl } from './gateways.ts'

/** One of our own programs, which is stopped and started again at the same address. */
export type OwnProgram = {
  name: string
  role: 'api' | 'worker'
  url: string
  start: () => Promise<void>
  /** Asks it to end, waits until it has, and starts it again; of another release where one is given. */
  restart: (release?: Release) => Promise<void>
  stop: () => Promise<void>
}

/** A folder with built programs. */
export type Release = { name: string; folder: string }

export const thisRelease: Release = { name: 'this release', folder: config.checkout }

export type Environment = Readonly<Record<string, string>>

/** Only what a program needs from the shell. */
export const bare: Environment = {
  PATH: config.searchPath,
  HOME: config.home,
  NODE_ENV: 'production',
}

/** Above every port of a gateway. */
const metricsAbove = 10_000

type Place = { folder: string; role: OwnProgram['role']; port: number; environment: Environment }

function openProgram({ folder, role, port, environment }: Place): OwnProgram {
  const url = replicaUrl(port)
  const name = `${role}-${port}`
  let running: Program | null = null
  let release = thisRelease
  const start = async () => {
    running = await startProgram({
      command: [join(release.folder, 'apps/api/dist/main.js')],
      cwd: release.folder,
      env: {
        ...bare,
        ...environment,
        MERIDIAN_ROLE: role,
        HOST: '127.0.0.1',
        PORT: `${port}`,
        METRICS_PORT: `${port + metricsAbove}`,
      },
      logFile: join(folder, `${name}.log`),
      ready: `${url}/readyz`,
    })
  }
  const stop = async () => running?.stop()
  return {
    name,
    role,
    url,
    start,
    stop,
    restart: async (next = release) => {
      await stop()
      release = next
      await start()
    },
  }
}

export type Fleet = { apis: readonly OwnProgram[]; workers: readonly OwnProgram[] }

/** Three replicas of the API and two workers; none of them runs yet. */
export const openFleet = (folder: string, environment: Environment): Fleet => ({
  apis: ports.apis.map((port) => openProgram({ folder, role: 'api', port, environment })),
  workers: ports.workers.map((port) => openProgram({ folder, role: 'worker', port, environment })),
})
