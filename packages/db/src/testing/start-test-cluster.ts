import { randomBytes } from 'node:crypto'
import {
  asProgramUser,
  createProgramUser,
  startThrowawayServer,
  type ThrowawayServer,
  withConnection,
} from '@meridian/embedded-postgres/testing'
import { runtimeRole } from '../runtime-role.ts'
import { assertDisposable } from './assert-disposable.ts'

export type TestCluster = {
  /** What `cloneDatabase` needs, in one word that fits into an environment variable: the template's address. */
  address: string
  stop(): Promise<void>
}

/** Carries the address to the processes that the tests run in. */
export const addressVariable = 'MERIDIAN_TEST_CLUSTER'

/**
 * For vitest's globalSetup: a server with one database prepared (migrated, seeded) once, to be cloned by each test.
 * A server of its own that ends with this process; or the one that MERIDIAN_TEST_DATABASE_URL names, which must be
 * local and name a *_test database.
 */
export async function startTestCluster(options: {
  prepare: (databaseUrl: string) => Promise<void>
}): Promise<TestCluster> {
  const run = `meridian_${randomBytes(6).toString('hex')}`
  const server = await useServer(run)
  try {
    const address = atDatabase(server.databaseUrl, `${run}_test`)
    await withConnection(server.databaseUrl, (client) =>
      client.query(`CREATE DATABASE ${run}_test TEMPLATE template0 ENCODING 'UTF8'`),
    )
    await options.prepare(address)
    await createProgramUser(address, { memberOf: runtimeRole, password: programPassword })
    process.env[addressVariable] = address
    return { address, stop: () => stop(server) }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function stop(server: ThrowawayServer): Promise<void> {
  delete process.env[addressVariable]
  await server.stop()
}

async function useServer(run: string): Promise<ThrowawayServer> {
  const databaseUrl = process.env['MERIDIAN_TEST_DATABASE_URL']
  if (!databaseUrl) return startThrowawayServer()
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

// The server is local and holds nothing but tests.
const programPassword = 'test'

/** A database of the test cluster as the API itself uses it: as a member of the runtime role. */
export const asProgram = (databaseUrl: string): string => asProgramUser(databaseUrl, programPassword)

/** Another database of the same server. */
export function atDatabase(databaseUrl: string, name: string): string {
  const address = new URL(databaseUrl)
  address.pathname = `/${name}`
  return address.href
}
