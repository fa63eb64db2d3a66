import { randomBytes } from 'node:crypto'
import { withConnection } from '../embedded/cluster-address.ts'
import { assertDisposable } from './assert-disposable.ts'
import { startThrowawayServer, type ThrowawayServer } from './start-throwaway-server.ts'

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
  const server = await useServer()
  try {
    const address = await prepareTemplate(server.databaseUrl, options.prepare)
    process.env[addressVariable] = address
    return {
      address,
      async stop() {
        delete process.env[addressVariable]
        await dropAll(address)
        await server.stop()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

async function useServer(): Promise<ThrowawayServer> {
  const databaseUrl = process.env['MERIDIAN_TEST_DATABASE_URL']
  if (!databaseUrl) return startThrowawayServer()
  assertDisposable(databaseUrl)
  return { databaseUrl, stop: async () => undefined }
}

async function prepareTemplate(
  serverUrl: string,
  prepare: (databaseUrl: string) => Promise<void>,
): Promise<string> {
  const name = `meridian_${randomBytes(6).toString('hex')}_test`
  const address = new URL(serverUrl)
  await withConnection(serverUrl, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`),
  )
  address.pathname = `/${name}`
  await prepare(address.href)
  return address.href
}

/** The template and its clones, also those whose test died. */
async function dropAll(templateUrl: string): Promise<void> {
  assertDisposable(templateUrl)
  const prefix = new URL(templateUrl).pathname.slice(1, -'_test'.length)
  await withConnection(maintenanceAddress(templateUrl), async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [prefix],
    )
    for (const { datname } of rows)
      await client.query(`DROP DATABASE IF EXISTS ${client.escapeIdentifier(datname)} WITH (FORCE)`)
  })
}

/** The same server, by the database that is always there. */
export function maintenanceAddress(databaseUrl: string): string {
  const address = new URL(databaseUrl)
  address.pathname = '/postgres'
  return address.href
}
