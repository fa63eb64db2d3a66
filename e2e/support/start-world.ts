import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { openDatabase } from '@meridian/db'
import { asProgram, startTestCluster } from '@meridian/db/testing'
import { type OpenSocket, openSocket } from '@meridian/process'
import { allDone } from './all-done.ts'
import { enrolOperator } from './enrol-operator.ts'
import { hireOperator } from './hire-operator.ts'
import { refuseLeaks } from './refuse-leaks.ts'
import { type Running, runToEnd, startProgram } from './start-process.ts'

/** Where everything of this run is; the tests' processes get it through the environment. */
export type World = {
  databaseUrl: string
  apiUrl: string
  consoleUrl: string
  sandboxUrl: string
  operators: Record<OperatorName, Credentials>
}

export const operatorNames = ['owner', 'finance', 'operator', 'viewer'] as const
export type OperatorName = (typeof operatorNames)[number]

/** What an operator knows and has; who has no authenticator signs in by password alone. */
export type Credentials = { email: string; password: string; authenticator: string | null }

export type StartedWorld = { world: World; stop: () => Promise<void> }

const secret = () => randomBytes(36).toString('base64url')

/** Production builds of everything on ports of their own, with a database and keys of their own. */
export async function startWorld(): Promise<StartedWorld> {
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    const failures: unknown[] = []
    for (const step of undo.splice(0).reverse()) await step().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  try {
    return { world: await build((step) => undo.push(step)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function build(later: (step: () => Promise<void>) => void): Promise<World> {
  const programs: Running[] = []
  const keep = (program: Running) => {
    programs.push(program)
    later(program.stop)
  }
  const folder = mkdtempSync(join(tmpdir(), 'meridian-e2e-'))
  later(() => rm(folder, { recursive: true, force: true }))
  const cluster = await startTestCluster({ prepare: migrate })
  later(cluster.stop)
  const databaseUrl = cluster.address
  const [api, console, sandbox] = await Promise.all([openSocket(), openSocket(), openSocket()])
  for (const { close } of [api, console, sandbox]) later(async () => close())
  const urls = { apiUrl: api.url, consoleUrl: console.url, sandboxUrl: sandbox.url }
  const authSecret = secret()
  keep(await startSandbox({ folder, http: sandbox, ...urls }))
  const env = {
    ...textSettings(join(folder, 'api.env')),
    DATABASE_URL: asProgram(databaseUrl),
    ...{ JWT_SECRET: secret(), AUTH_SECRET: authSecret, DATA_KEY: secret() },
    ...{
      HOST: '127.0.0.1',
      PORT: `${api.port}`,
      METRICS_PORT: '0',
      DRAIN_SECONDS: '0',
      CONSOLE_URL: urls.consoleUrl,
    },
    // No background job: what heals a lost notification here is what the test does, and nothing else.
    MERIDIAN_ROLE: 'api',
  }
  later(async () => refuseLeaks(programs, env))
  const [hired] = await allDone([
    createOperators(databaseUrl),
    startProgram({ file: 'apps/api/dist/main.js', env, http: api, ready: `${urls.apiUrl}/readyz` }).then(
      keep,
    ),
    startConsole({ authSecret, http: console, ...urls }).then(keep),
  ])
  const operators = await enrolOperators(hired, { authSecret, apiUrl: urls.apiUrl })
  await ageFactors(databaseUrl)
  return { databaseUrl, ...urls, operators }
}

/** As if every authenticator had been set up two days ago: a newer one takes no part in what needs a second person. */
async function ageFactors(databaseUrl: string): Promise<void> {
  await using database = openDatabase(databaseUrl, { applicationName: 'meridian-e2e', maxConnections: 1 })
  await database.pool.query(`UPDATE operators SET totp_confirmed_at = totp_confirmed_at - interval '2 days'`)
}

async function migrate(databaseUrl: string): Promise<void> {
  await runToEnd('apps/api/dist/commands/migrate.js', { env: { DATABASE_URL: databaseUrl } })
}

const textSettings = (file: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseEnv(readFileSync(file, 'utf8'))).map(([name, value]) => [name, value ?? '']),
  )

type Urls = Pick<World, 'apiUrl' | 'consoleUrl' | 'sandboxUrl'>

const startSandbox = ({ folder, http, apiUrl, sandboxUrl }: Urls & { folder: string; http: OpenSocket }) =>
  startProgram({
    file: 'e2e/dist/sandbox.js',
    env: { SANDBOX_FOLDER: folder, API_URL: apiUrl },
    http,
    ready: sandboxUrl,
  })

const startConsole = ({
  authSecret,
  http,
  apiUrl,
  consoleUrl,
}: Urls & { authSecret: string; http: OpenSocket }) =>
  startProgram({
    file: 'apps/admin/start.mjs',
    env: {
      HOST: '127.0.0.1',
      API_URL: apiUrl,
      CONSOLE_URL: consoleUrl,
      AUTH_SECRET: authSecret,
    },
    http,
    ready: `${consoleUrl}/sign-in`,
  })

async function createOperators(databaseUrl: string): Promise<World['operators']> {
  const create = (role: OperatorName) =>
    hireOperator({ email: `${role}@meridian.test`, role, databaseUrl }).then((operator) => ({
      ...operator,
      authenticator: null,
    }))
  const [owner, finance, operator, viewer] = await allDone([
    create('owner'),
    create('finance'),
    create('operator'),
    create('viewer'),
  ])
  return { owner, finance, operator, viewer }
}

/** Everybody but the viewer has an authenticator; setting one up is a journey of its own. */
async function enrolOperators(hired: World['operators'], api: { authSecret: string; apiUrl: string }) {
  const enrol = async (operator: Credentials) => ({
    ...operator,
    authenticator: await enrolOperator(operator, api),
  })
  const [owner, finance, operator] = await Promise.all([
    enrol(hired.owner),
    enrol(hired.finance),
    enrol(hired.operator),
  ])
  return { owner, finance, operator, viewer: hired.viewer }
}
