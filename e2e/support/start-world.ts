import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { asProgram, startTestCluster } from '@meridian/db/testing'
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

/** Production builds of everything on free ports, with a database and keys of their own. */
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
  const [api, console, sandbox, metrics] = await freePorts()
  const urls = { apiUrl: local(api), consoleUrl: local(console), sandboxUrl: local(sandbox) }
  const authSecret = secret()
  keep(await startSandbox({ folder, port: sandbox, ...urls }))
  const env = {
    ...textSettings(join(folder, 'api.env')),
    DATABASE_URL: asProgram(databaseUrl),
    ...{ JWT_SECRET: secret(), AUTH_SECRET: authSecret, DATA_KEY: secret() },
    ...{ HOST: '127.0.0.1', PORT: `${api}`, METRICS_PORT: `${metrics}`, CONSOLE_URL: urls.consoleUrl },
    // No background job: what heals a lost notification here is what the test does, and nothing else.
    MERIDIAN_ROLE: 'api',
  }
  later(async () => refuseLeaks(programs, env))
  const [hired] = await allDone([
    createOperators(databaseUrl),
    startProgram({ file: 'apps/api/dist/main.js', env, ready: `${urls.apiUrl}/readyz` }).then(keep),
    startConsole({ authSecret, port: console, ...urls }).then(keep),
  ])
  return { databaseUrl, ...urls, operators: await enrolOperators(hired, { authSecret, apiUrl: urls.apiUrl }) }
}

const local = (port: number) => `http://127.0.0.1:${port}`

async function migrate(databaseUrl: string): Promise<void> {
  await runToEnd('apps/api/dist/commands/migrate.js', { env: { DATABASE_URL: databaseUrl } })
}

const textSettings = (file: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseEnv(readFileSync(file, 'utf8'))).map(([name, value]) => [name, value ?? '']),
  )

type Urls = Pick<World, 'apiUrl' | 'consoleUrl' | 'sandboxUrl'>

const startSandbox = ({ folder, port, apiUrl, sandboxUrl }: Urls & { folder: string; port: number }) =>
  startProgram({
    file: 'e2e/dist/sandbox.js',
    env: { SANDBOX_PORT: `${port}`, SANDBOX_FOLDER: folder, API_URL: apiUrl },
    ready: sandboxUrl,
  })

const startConsole = ({
  authSecret,
  port,
  apiUrl,
  consoleUrl,
}: Urls & { authSecret: string; port: number }) =>
  startProgram({
    file: 'apps/admin/start.mjs',
    env: {
      HOST: '127.0.0.1',
      ADMIN_PORT: `${port}`,
      API_URL: apiUrl,
      CONSOLE_URL: consoleUrl,
      AUTH_SECRET: authSecret,
    },
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

/** Held open together until all are known, so that no two are the same. */
async function freePorts(): Promise<[number, number, number, number]> {
  const servers = await Promise.all([listen(), listen(), listen(), listen()])
  const [first, second, third, fourth] = servers
  await Promise.all(servers.map(({ close }) => close()))
  return [first.port, second.port, third.port, fourth.port]
}

const isAddress = (address: unknown): address is AddressInfo =>
  typeof address === 'object' && address !== null

function listen(): Promise<{ port: number; close: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = isAddress(address) ? address.port : 0
      resolve({ port, close: () => new Promise((closed) => server.close(() => closed())) })
    })
  })
}
