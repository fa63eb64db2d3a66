import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { cloneDatabase, programSettings } from '@meridian/db/testing'
import { claimPort, type OpenSocket, openSocket } from '@meridian/process'
import { allDone } from './all-done.ts'
import type { ConsoleApi } from './call-console.ts'
import { enrolOperator } from './enrol-operator.ts'
import { refuseLeaks, type Secret, secretSettings } from './find-leaks.ts'
import { hideChecklist } from './hide-checklist.ts'
import { moveClock } from './move-clock.ts'
import { type Running, startProgram } from './start-process.ts'
import { type Authenticators, type OperatorName, templateOf, type WorldTemplate } from './world-templates.ts'

/** Where everything of this run is; the tests' processes get it through the environment. */
export type World = {
  databaseUrl: string
  apiUrl: string
  consoleUrl: string
  sandboxUrl: string
  operators: Record<OperatorName, Credentials>
  /** What its API is set up with and nobody may read. */
  secrets: Secret[]
}

/** What an operator knows and has; who has no authenticator signs in by password alone. */
export type Credentials = { email: string; password: string; authenticator: string | null }

export type StartedWorld = {
  world: World
  /** What the console and the API share: who has it speaks as the console does. */
  authSecret: string
  stop: () => Promise<void>
  /** Stops every program and starts it again: what was not kept is gone. */
  restart: () => Promise<void>
}

type WorldOptions = {
  /** Jobs run, and the sandbox's samples are there: by itself a world heals nothing but what the test does. */
  withJobs?: boolean
  /** The overview shows the checklist of a new installation, and its sandbox can play sample data; elsewhere an owner has hidden it from everybody. */
  isNew?: boolean
  /** What the API is set up with beside the usual, by the address of its console. */
  settings?: (consoleUrl: string) => Record<string, string>
}

/** Where a program listens: on a socket that it is handed once, or on a port to which it can come back. */
type Place = { port: number; url: string; socket: OpenSocket | null; close: () => void }

async function openPlace(): Promise<Place> {
  const socket = await openSocket()
  return { ...socket, socket }
}

async function claimPlace(): Promise<Place> {
  const { port, release } = await claimPort()
  return { port, url: `http://127.0.0.1:${port}`, socket: null, close: release }
}

const socketOf = ({ socket }: Place) => (socket ? { http: socket } : {})

const secret = () => randomBytes(36).toString('base64url')

/** Production builds of everything on ports of their own, with a database and keys of their own. */
export async function startWorld(options: WorldOptions = {}): Promise<StartedWorld> {
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    const failures: unknown[] = []
    for (const step of undo.splice(0).reverse()) await step().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }
  try {
    return { ...(await build((step) => undo.push(step), options)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function build(
  later: (step: () => Promise<void>) => void,
  { withJobs = false, isNew = false, settings = () => ({}) }: WorldOptions,
): Promise<Omit<StartedWorld, 'stop'>> {
  const programs: Running[] = []
  const again: (() => Promise<void>)[] = []
  const keep = async (start: () => Promise<Running>) => {
    let running = await start()
    programs.push(running)
    later(() => running.stop())
    again.push(async () => {
      await running.stop()
      running = await start()
      programs.push(running)
    })
  }
  const folder = mkdtempSync(join(tmpdir(), 'meridian-e2e-'))
  later(() => rm(folder, { recursive: true, force: true }))
  const template = templateOf(withJobs ? 'samples' : 'bare')
  const { databaseUrl, drop } = await cloneDatabase(template.address)
  later(drop)
  const open = withJobs ? claimPlace : openPlace
  const [api, console, sandbox] = await Promise.all([open(), open(), open()])
  for (const { close } of [api, console, sandbox]) later(async () => close())
  const urls = { apiUrl: api.url, consoleUrl: console.url, sandboxUrl: sandbox.url }
  const authSecret = secret()
  await keep(() => startSandbox({ folder, databaseUrl, place: sandbox, isNew, ...urls }))
  const given = settings(urls.consoleUrl)
  const env = {
    ...textSettings(join(folder, 'api.env')),
    ...programSettings(databaseUrl),
    ...{ JWT_SECRET: secret(), AUTH_SECRET: authSecret, DATA_KEY: template.dataKey },
    ...{
      HOST: '127.0.0.1',
      PORT: `${api.port}`,
      METRICS_PORT: '0',
      DRAIN_SECONDS: '0',
      CONSOLE_URL: urls.consoleUrl,
    },
    ...given,
    MERIDIAN_ROLE: withJobs ? 'all' : 'api',
  }
  const secrets = secretSettings(env)
  later(() => refuseLeaks({ databaseUrl, sandboxUrl: urls.sandboxUrl, secrets }, programs))
  await allDone([
    keep(() =>
      startProgram({
        file: 'apps/api/dist/main.js',
        env,
        ready: `${urls.apiUrl}/readyz`,
        ...socketOf(api),
      }),
    ),
    keep(() => startConsole({ authSecret, place: console, ...urls })),
  ])
  const operators = await authenticate(template, { authSecret, apiUrl: urls.apiUrl })
  if (!isNew) await hideChecklist(databaseUrl)
  // A newer authenticator takes no part in what needs a second person.
  await moveClock(urls.sandboxUrl, 48)
  const restart = async () => {
    for (const one of again) await one()
  }
  return { world: { databaseUrl, ...urls, operators, secrets }, authSecret, restart }
}

const textSettings = (file: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parseEnv(readFileSync(file, 'utf8'))).map(([name, value]) => [name, value ?? '']),
  )

type Urls = Pick<World, 'apiUrl' | 'consoleUrl' | 'sandboxUrl'>

/** In the place of the program that plays sample data, whose journey is that of the demo: what it says of its last day. */
const shortPlay = [process.execPath, '-e', "console.log('Day 90 of 90, 2026-11-20: nothing so far.')", '--']

const startSandbox = ({
  folder,
  place,
  apiUrl,
  consoleUrl,
  sandboxUrl,
  databaseUrl,
  isNew,
}: Urls & { folder: string; place: Place; databaseUrl: string; isNew: boolean }) =>
  startProgram({
    file: 'tools/sandbox/dist/sandbox.js',
    env: {
      SANDBOX_FOLDER: folder,
      SANDBOX_PORT: `${place.port}`,
      API_URL: apiUrl,
      CONSOLE_URL: consoleUrl,
      DATABASE_URL: databaseUrl,
      ...(isNew && { DEMO_COMMAND: JSON.stringify(shortPlay) }),
    },
    ...socketOf(place),
    ready: sandboxUrl,
  })

const startConsole = ({
  authSecret,
  place,
  apiUrl,
  consoleUrl,
}: Urls & { authSecret: string; place: Place }) =>
  startProgram({
    file: 'apps/admin/start.mjs',
    env: {
      HOST: '127.0.0.1',
      ADMIN_PORT: `${place.port}`,
      API_URL: apiUrl,
      CONSOLE_URL: consoleUrl,
      AUTH_SECRET: authSecret,
      DRAIN_SECONDS: '0',
    },
    ...socketOf(place),
    ready: `${consoleUrl}/sign-in`,
  })

/** Everybody but the viewer has an authenticator, set up in the first world; doing so is a journey of its own. */
async function authenticate({ hired, authenticators }: WorldTemplate, api: ConsoleApi) {
  const { owner, finance, operator, viewer } = authenticators ?? (await enrolOperators(hired, api))
  return {
    owner: { ...hired.owner, authenticator: owner },
    finance: { ...hired.finance, authenticator: finance },
    operator: { ...hired.operator, authenticator: operator },
    viewer: { ...hired.viewer, authenticator: viewer },
  }
}

async function enrolOperators(hired: WorldTemplate['hired'], api: ConsoleApi): Promise<Authenticators> {
  const [owner, finance, operator] = await Promise.all([
    enrolOperator(hired.owner, api),
    enrolOperator(hired.finance, api),
    enrolOperator(hired.operator, api),
  ])
  return { owner, finance, operator, viewer: null }
}
