import { asProgramUser, atPort, startThrowawayPooler } from '@meridian/embedded-postgres/testing'
import { announce } from './announce.ts'

// The server is local and holds nothing but tests.
export const programPassword = 'test'

/** A database of the test cluster as the API itself uses it: as a member of the runtime role. */
export const asProgram = (databaseUrl: string): string => asProgramUser(databaseUrl, programPassword)

/** Carries the ports of server and pooler to the processes that the tests run in: `server:pooler`. */
const portsVariable = 'MERIDIAN_TEST_POOLER_PORTS'

/**
 * Where MERIDIAN_TEST_POOLER names a PgBouncer, one in transaction mode stands between this server and the programs under
 * test from now on; what a test itself does goes to the server. Answers what stops it.
 */
export async function startPoolerIfAsked(serverUrl: string): Promise<() => Promise<void>> {
  const program = process.env['MERIDIAN_TEST_POOLER']
  if (!program) return async () => undefined
  const users = [serverUrl, asProgram(serverUrl)].map((address) => {
    const { username, password } = new URL(address)
    return { name: username, password: decodeURIComponent(password) }
  })
  const pooler = await startThrowawayPooler({ program, serverUrl, users })
  const withdraw = announce(portsVariable, `${new URL(serverUrl).port}:${pooler.port}`)
  return async () => {
    withdraw()
    await pooler.stop()
  }
}

/** The same database through the pooler of the test cluster; unchanged where there is none, or for another server. */
export function throughPooler(databaseUrl: string): string {
  const [server, pooler] = process.env[portsVariable]?.split(':') ?? []
  return pooler && new URL(databaseUrl).port === server ? atPort(databaseUrl, Number(pooler)) : databaseUrl
}

/** Of gates in front of the pooler, by their port: the gate beside each that leads to the server itself. */
const directGates = new Map<string, number>()

/** Says that a gate to the pooler has one to the server beside it. */
export const keepDirectGate = (pooledUrl: string, directPort: number): void => {
  directGates.set(new URL(pooledUrl).port, directPort)
}

/** What a program's environment says of its database. */
export function programSettings(databaseUrl: string): Record<string, string> {
  const pooled = throughPooler(databaseUrl)
  const gate = directGates.get(new URL(databaseUrl).port)
  if (pooled === databaseUrl && gate === undefined) return { DATABASE_URL: asProgram(databaseUrl) }
  return {
    DATABASE_URL: asProgram(pooled),
    DATABASE_DIRECT_URL: asProgram(gate === undefined ? databaseUrl : atPort(databaseUrl, gate)),
    DATABASE_POOLING: process.env['MERIDIAN_TEST_POOLING'] ?? 'transaction',
  }
}
