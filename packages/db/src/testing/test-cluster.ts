import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  createProgramUser,
  type Rewinding,
  startThrowawayServer,
  type ThrowawayServer,
  withConnection,
} from '@meridian/embedded-postgres/testing'
import type { Client } from 'pg'
import { runtimeRole } from '../runtime-role.ts'
import { announce } from './announce.ts'
import { programPassword, startPoolerIfAsked } from './test-pooler.ts'

export type TestCluster = {
  /** What `cloneDatabase` needs, in one word that fits into an environment variable: the template's address. */
  address: string
  stop(): Promise<void>
}

/** Carries the address to the processes that the tests run in. */
const addressVariable = 'MERIDIAN_TEST_CLUSTER'

/**
 * For vitest's globalSetup: a server with one database prepared (migrated, seeded) once, to be cloned by each test.
 * A server of its own that ends with this process, of the PostgreSQL whose folder MERIDIAN_TEST_POSTGRES names or else the
 * embedded one; or the one that MERIDIAN_TEST_DATABASE_URL names, which must be local and name a *_test database.
 */
export async function startTestCluster(options: {
  prepare: (databaseUrl: string) => Promise<void>
}): Promise<TestCluster> {
  const run = `meridian_${randomBytes(6).toString('hex')}`
  const server = await useServer(run)
  const address = await makeTemplate(server, { ...options, run })
  const stopPooler = await startPoolerIfAsked(server.databaseUrl)
  const withdraw = announce(addressVariable, address)
  const stop = async () => {
    withdraw()
    await stopPooler()
    await server.stop()
  }
  return { address, stop }
}

type Template = { run: string; prepare: (databaseUrl: string) => Promise<void> }

async function makeTemplate(
  server: Pick<ThrowawayServer, 'databaseUrl' | 'stop'>,
  { run, prepare }: Template,
): Promise<string> {
  try {
    const address = atDatabase(server.databaseUrl, `${run}_test`)
    await withConnection(server.databaseUrl, (client) =>
      client.query(`CREATE DATABASE ${run}_test TEMPLATE template0 ENCODING 'UTF8'`),
    )
    await prepare(address)
    await createProgramUser(address, { memberOf: runtimeRole, password: programPassword })
    return address
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Its files are copied several times in a test. */
const smallWal = { min_wal_size: '32MB', max_wal_size: '48MB' }

export type RewindableCluster = TestCluster & Rewinding

/** A server of the caller's own, prepared likewise, that can be taken back to an earlier state of its files. */
export async function startRewindableCluster(options: {
  prepare: (databaseUrl: string) => Promise<void>
}): Promise<RewindableCluster> {
  const server = await startThrowawayServer(process.env['MERIDIAN_TEST_POSTGRES'], smallWal)
  const run = `meridian_${randomBytes(6).toString('hex')}`
  const address = await makeTemplate(server, { ...options, run })
  return { ...server.rewinding, address, stop: server.stop }
}

async function useServer(run: string): Promise<Pick<ThrowawayServer, 'databaseUrl' | 'stop'>> {
  const databaseUrl = process.env['MERIDIAN_TEST_DATABASE_URL']
  // A deep run plants millions of rows.
  const size = { large: process.env['MERIDIAN_DEEP'] === '1' }
  if (!databaseUrl) return startThrowawayServer(process.env['MERIDIAN_TEST_POSTGRES'], {}, size)
  assertDisposable(databaseUrl)
  return { databaseUrl, stop: () => dropDatabasesOf(run, databaseUrl) }
}

// On a server that stays: exactly what this run made, the template and the clones whose test died, and nothing else.
async function dropDatabasesOf(run: string, serverUrl: string): Promise<void> {
  await withConnection(serverUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1 || '_') AND datname LIKE '%\\_test'`,
      [run],
    )
    for (const { name } of rows)
      await client.query(`DROP DATABASE ${client.escapeIdentifier(name)} WITH (FORCE)`)
  })
}

/** Another database of the same server. */
function atDatabase(databaseUrl: string, name: string): string {
  const address = new URL(databaseUrl)
  address.pathname = `/${name}`
  return address.href
}

const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Proves that a database may be destroyed: it is on this machine and its name ends in _dev, _test or _e2e.
 * @throws Error naming host and database, never the credentials
 */
export function assertDisposable(databaseUrl: string): void {
  const { hostname, pathname, searchParams } = new URL(databaseUrl)
  const host = searchParams.get('host') ?? hostname
  if (localHosts.has(host) && /_(dev|test|e2e)$/.test(pathname)) return
  throw new Error(`Refusing to reset ${host}${pathname}: not a local *_dev, *_test or *_e2e database`)
}

export type ClonedDatabase = {
  databaseUrl: string
  /** Removes it, also under open connections. */
  drop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

function templateAddress(): string {
  const address = process.env[addressVariable]
  if (!address) throw new Error('No test cluster: call startTestCluster in the globalSetup of vitest')
  return address
}

/**
 * A database of the caller's own, with everything the template holds. Any number of processes may ask at once.
 * @throws Error when no test cluster runs
 */
export async function cloneDatabase(address = templateAddress()): Promise<ClonedDatabase> {
  const template = new URL(address).pathname.slice(1)
  const name = template.replace(/_test$/, `_${randomBytes(6).toString('hex')}_test`)
  await createFrom(template, { name, address })
  const databaseUrl = atDatabase(address, name)
  const drop = () => dropDatabase(databaseUrl)
  return { databaseUrl, drop, [Symbol.asyncDispose]: drop }
}

const exists = (client: Client, name: string) =>
  client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]).then(({ rowCount }) => rowCount === 1)

/**
 * A clone of the template in which somebody has planted something large: once per run under this name, whoever asks
 * first; the others wait for it.
 * @throws Error when no test cluster runs
 */
export async function clonePlanted(
  name: string,
  plant: (databaseUrl: string) => Promise<void>,
): Promise<ClonedDatabase> {
  const address = templateAddress()
  const template = new URL(address).pathname.slice(1)
  const planted = atDatabase(address, template.replace(/_test$/, `_${name}_test`))
  await withConnection(atDatabase(address, 'postgres'), async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [planted])
    if (await exists(client, new URL(planted).pathname.slice(1))) return
    await createFrom(template, { name: new URL(planted).pathname.slice(1), address })
    await plant(planted).catch(async (error: unknown) => {
      await dropDatabase(planted)
      throw error
    })
  })
  return cloneDatabase(planted)
}

async function createFrom(template: string, clone: { name: string; address: string }): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await administer(clone.address, `CREATE DATABASE ${clone.name} TEMPLATE ${template} STRATEGY FILE_COPY`)
      return
    } catch (error) {
      if (attempt >= 50 || !(isInUse(error) || isBusy(error))) throw error
      await pause(20 + Math.random() * 50)
    }
  }
}

async function dropDatabase(databaseUrl: string): Promise<void> {
  assertDisposable(databaseUrl)
  await administer(
    databaseUrl,
    `DROP DATABASE IF EXISTS ${new URL(databaseUrl).pathname.slice(1)} WITH (FORCE)`,
  )
}

function administer(databaseUrl: string, statement: string): Promise<unknown> {
  return withConnection(atDatabase(databaseUrl, 'postgres'), (client) => client.query(statement))
}

// A machine that is busy with many tests may take long to let one more in.
const isBusy = (error: unknown) => error instanceof Error && error.message === 'timeout expired'

// 55006: somebody is connected to the template, if only for housekeeping.
function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55006'
}
