import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { openPool } from '@meridian/db'
import { atPort, startThrowawayPooler } from '@meridian/embedded-postgres/testing'
import { claimPort, openSocket } from '@meridian/process'
import { type Running, runToEnd, startProgram } from '../../e2e/support/start-process.ts'
import type { Chance } from './chance.ts'
import { config } from './config.ts'
import type { Database } from './database.ts'
import type { Figures } from './figures.ts'
import { type Network, openNetwork } from './network.ts'

type Replica = {
  url: string
  /** Kills the program and starts it again. */
  killAndStart: () => Promise<void>
  stop: () => Promise<void>
}

type Options = { port: number; environment: Record<string, string>; figures: Figures }

/** One of the programs of the API, as it ships, with its workers. */
async function startReplica({ port, environment, figures }: Options): Promise<Replica> {
  const url = `http://127.0.0.1:${port}`
  const env = { ...environment, HOST: '127.0.0.1', PORT: `${port}`, METRICS_PORT: '0' }
  // Alive is enough: whether it is ready depends on a database that may be away.
  const start = () => startProgram({ file: 'apps/api/dist/main.js', env, ready: `${url}/healthz` })
  let running: Running = await start()
  return {
    url,
    killAndStart: async () => {
      await running.kill()
      figures['programs killed'] += 1
      running = await start()
    },
    stop: () => running.stop(),
  }
}

export type World<Opened = Database> = {
  sandboxUrl: string
  database: Opened
  replicas: readonly [Replica, Replica]
  network: Network
  /** What a replica is started with, for commands beside it. */
  environment: Readonly<Record<string, string>>
  [Symbol.asyncDispose]: () => Promise<void>
}

/** How much faster than the real one the platform's schedule of repeats runs: 1.5 s, 1.5 s, 3 s, 18 s, a minute … */
const scheduleSpeed = 10

/** Secrets and limits of programs that only a run knows. */
export const runSettings = {
  JWT_SECRET: 'faults-jwt-secret-faults-jwt-secret-0123456789',
  AUTH_SECRET: 'faults-auth-secret-faults-auth-secret-01234567',
  DATA_KEY: 'faults-data-key-faults-data-key-faults-data-key',
  // All phones share one address here.
  RATE_LIMITS: 'login=0,purchase=0,sync=0,bind=0,reports=0,user=0,anonymous=0',
}

/** Makes the sandbox's switches do something. */
export async function controlSandbox(url: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`The sandbox refuses ${path}: ${await answer.text()}`)
}

/** The settings of this file, by name. */
export const settingsIn = (file: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseEnv(readFileSync(file, 'utf8'))).map(([name, value]) => [name, value ?? '']),
  )

/** Sells every plan by virtual payment to iPhones and Androids, and by JSAPI to whatever else there is. */
export async function openShop({ databaseUrl }: Pick<Database, 'databaseUrl'>): Promise<void> {
  const pool = openPool(databaseUrl, { applicationName: 'faults', maxConnections: 1 })
  await pool.query('UPDATE plans SET virtual_product_id = code')
  await pool.query(`UPDATE settings SET value = value || '{"ios": {"channel": "virtual", "allowed": false, "message": null},
    "android": {"channel": "virtual", "allowed": false, "message": null}}'::jsonb WHERE key = 'sale_policy'`)
  await pool.end()
}

type Route = { settings: Record<string, string>; stop: () => Promise<void> }

/** How the programs reach the database: straight, or through a pooler in transaction mode with a direct way beside it. */
async function openRoute({ databaseUrl }: Pick<Database, 'databaseUrl'>): Promise<Route> {
  if (config.pooler === null) return { settings: { DATABASE_URL: databaseUrl }, stop: async () => undefined }
  const { username, password } = new URL(databaseUrl)
  const { port, stop } = await startThrowawayPooler({
    program: config.pooler,
    serverUrl: databaseUrl,
    users: [{ name: username, password: decodeURIComponent(password) }],
  })
  const settings = {
    DATABASE_URL: atPort(databaseUrl, port),
    DATABASE_DIRECT_URL: databaseUrl,
    DATABASE_POOLING: 'transaction',
  }
  return { settings, stop }
}

type Opening<Opened> = {
  /** What the network does by chance. */
  chance: Chance
  figures: Figures
  /** Starts a database that keeps everything in this folder. */
  open: (folder: string) => Promise<Opened>
}

/** A database of our own, the platform and two replicas as programs, and a bad network in between. */
export async function openWorld<Opened extends Pick<Database, 'databaseUrl' | 'stop'>>({
  chance,
  figures,
  open: openDatabase,
}: Opening<Opened>): Promise<World<Opened>> {
  const folder = mkdtempSync(join(process.getuid?.() === 0 ? '/tmp' : tmpdir(), 'meridian-faults-'))
  const undo: (() => Promise<void> | void)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    // Claimed, not handed over: a replica that is killed leaves nobody who listens, and comes back at its address.
    const [first, second] = await Promise.all([claimPort(), claimPort()])
    const targets = [`http://127.0.0.1:${first.port}`, `http://127.0.0.1:${second.port}`] as const
    const database = await openDatabase(folder)
    undo.push(database.stop)
    const route = await openRoute(database)
    undo.push(route.stop)
    await runToEnd('apps/api/dist/commands/migrate.js', { env: { DATABASE_URL: database.databaseUrl } })
    const network = await openNetwork({ targets, chance, figures })
    undo.push(network.close)
    const http = await openSocket()
    const sandboxUrl = http.url
    const NOTIFY_URL = `${network.url}/api/v1/payment/notify`
    const env = { SANDBOX_FOLDER: folder, NOTIFY_URL, DATABASE_URL: database.databaseUrl }
    undo.push(
      (await startProgram({ file: 'tools/sandbox/dist/sandbox.js', env, http, ready: sandboxUrl })).stop,
    )
    await controlSandbox(sandboxUrl, 'keys', { scheduleSpeed })
    const environment = {
      ...runSettings,
      MERIDIAN_ROLE: 'all',
      PAYMENT_GROUP_SIZE: `${config.groupSize}`,
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'error',
      ...settingsIn(join(folder, 'api.env')),
      ...route.settings,
      ERASURE_LIST_FILE: join(folder, 'erasures.jsonl'),
    }
    const open = async (port: number) => {
      const replica = await startReplica({ port, environment, figures })
      undo.push(replica.stop)
      return replica
    }
    const replicas = [await open(first.port), await open(second.port)] as const
    await openShop(database)
    return { sandboxUrl, database, replicas, network, environment, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}
