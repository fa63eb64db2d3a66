import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiEnvironment, type Platform } from '@meridian/payments/testing'
import {
  openSocket,
  type Program,
  type ProgramStart,
  runToEnd,
  spawnProgram,
  startProgram,
} from '@meridian/process'
import { environmentFor } from './test-world.ts'

export type ApiProcess = {
  url: string
  process: ChildProcess
  /** Everything it wrote so far, stdout and stderr. */
  output: () => string
  stop: () => Promise<void>
}

/** The seven payment settings and the login as environment variables, the keys in files of a temporary folder. */
export async function paymentEnvironment(platform: Platform, notifyUrl: string) {
  const settings = platform.settings({ notifyUrl })
  const folder = await mkdtemp(join(tmpdir(), 'meridian-keys-'))
  const merchantKeyFile = join(folder, 'merchant.key')
  await writeFile(merchantKeyFile, settings.merchantPrivateKey, { mode: 0o600 })
  const platformKeys = await Promise.all(
    settings.platformKeys.map(async ({ id, pem }) => {
      const file = join(folder, `${id}.pem`)
      await writeFile(file, pem, { mode: 0o600 })
      return `${id}=${file}`
    }),
  )
  const environment = apiEnvironment(settings, { merchantKeyFile, platformKeys })
  return { environment, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** A program of the API, bundled as it ships. */
export const programFile = (name: string) =>
  join(process.env['MERIDIAN_TEST_PROGRAMS'] ?? 'dist', `${name}.js`)

type CommandRun = { args?: readonly string[]; env: Record<string, string>; input?: string }

/** Runs a command of the API as a program of its own that has this environment and nothing else. */
export const runCommand = (name: string, { args = [], env, ...input }: CommandRun) =>
  runToEnd({
    command: [programFile(`commands/${name}`), ...args],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    ...input,
  })

/** Starts the API as a program of its own with exactly this environment. */
export const spawnApi = (environment: Record<string, string>): ApiProcess =>
  asApi(spawnProgram(startOf(environment)), `http://127.0.0.1:${environment['PORT']}`)

type Start = {
  platform: Platform
  databaseUrl: string
  more?: Record<string, string>
  awaited?: '/readyz' | '/healthz'
}

/**
 * Starts the API as a program and waits until it is ready, or only up.
 * @throws Error with its last lines when it ends before
 */
export async function startApi({
  platform,
  databaseUrl,
  more = {},
  awaited = '/readyz',
}: Start): Promise<ApiProcess> {
  const http = await openSocket()
  const payments = await paymentEnvironment(platform, `${http.url}/api/v1/payment/notify`)
  const environment = environmentFor(databaseUrl, http.port, {
    LOG_LEVEL: 'warn',
    ...payments.environment,
    ...more,
  })
  const program = await startProgram({
    ...startOf(environment),
    sockets: { http },
    ready: `${http.url}${awaited}`,
  }).catch(async (error: unknown) => {
    await payments.remove()
    throw error
  })
  const api = asApi(program, http.url)
  return { ...api, stop: () => api.stop().then(payments.remove) }
}

const startOf = (environment: Record<string, string>): ProgramStart => ({
  command: [programFile('main')],
  env: { PATH: process.env['PATH'] ?? '', ...environment },
})

const asApi = ({ process, output, stop }: Program, url: string): ApiProcess => ({
  url,
  process,
  output,
  stop,
})
