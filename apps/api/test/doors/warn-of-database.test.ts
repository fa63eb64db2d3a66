import { runtimeRole } from '@meridian/db'
import { asProgram } from '@meridian/db/testing'
import {
  createProgramUser,
  startThrowawayServer,
  type ThrowawayServer,
  withConnection,
} from '@meridian/embedded-postgres/testing'
import { systemRuntime } from '@meridian/payments'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openLog } from '../../src/platform/log.ts'
import { closeServices, openServices } from '../../src/services.ts'
import { isAsynchronous, plainTextSettings, warnOfDatabase } from '../../src/startup/warn-of-database.ts'
import { freePort } from '../world/free-port.ts'
import { prepareDatabase } from '../world/prepare-database.ts'
import { environmentFor } from '../world/test-world.ts'

let server: ThrowawayServer
beforeAll(async () => {
  server = await startThrowawayServer(process.env['MERIDIAN_TEST_POSTGRES'])
  await prepareDatabase(server.databaseUrl)
  const password = new URL(asProgram(server.databaseUrl)).password
  await createProgramUser(server.databaseUrl, { memberOf: runtimeRole, password })
})
afterAll(() => server.stop())

const plainText = 'the database is reached in plain text: set sslmode=verify-full and DATABASE_CA_FILE'
const rewrites = 'the database user could rewrite ledger and audit log: use a member of meridian_runtime'
const loses =
  'no synchronous standby is configured: a fail-over of the database can lose acknowledged payments'

function startAt(databaseUrl: string, more: Record<string, string> = {}) {
  const said: unknown[] = []
  const services = openServices(
    readConfig(environmentFor(databaseUrl, 4000, { DATABASE_URL: databaseUrl, ...more })),
    openLog('warn', { destination: { write: (line) => said.push(JSON.parse(line)) } }),
    systemRuntime,
  )
  return { said, services, [Symbol.asyncDispose]: () => closeServices(services) }
}

/** What somebody is told who starts a program with this address. */
async function warningsAt(databaseUrl: string, more: Record<string, string> = {}): Promise<unknown[]> {
  await using start = startAt(databaseUrl, more)
  await warnOfDatabase(start.services)
  return start.said
}

/** Counts as a standby for as long as it is connected: the server has a sender for it. */
function whileStandbyIsAttached(work: () => Promise<void>): Promise<void> {
  const address = new URL(server.databaseUrl)
  address.searchParams.set('replication', 'true')
  return withConnection(address.href, work)
}

const configure = (setting: string) =>
  withConnection(server.databaseUrl, async (client) => {
    await client.query(`ALTER SYSTEM ${setting}`)
    await client.query('SELECT pg_reload_conf()')
  })

test.each([
  ['postgresql://u:p@db.internal/x', true],
  ['postgresql://u:p@db.internal/x?sslmode=disable', true],
  ['postgresql://u:p@10.0.0.5:5432/x', true],
  ['postgresql://u:p@[2001:db8::1]/x', true],
  ['postgresql://u:p@127.0.0.1/x?host=db.internal', true],
  ['postgresql://u:p@127.0.0.1.nip.example/x', true],
  ['postgresql://u:p@db.internal/x?sslmode=verify-full', false],
  ['postgresql://u:p@db.internal/x?sslmode=no-verify', false],
  ['postgresql://u:p@localhost/x', false],
  ['postgresql://u:p@127.0.0.1:5433/x', false],
  ['postgresql://u:p@[::1]/x', false],
  ['postgresql://u:p@db.internal/x?host=/var/run/postgresql', false],
])('%s leads off this machine in plain text: %s', (url, isPlain) => {
  const [local, settings] = ['postgresql://u@localhost/x', isPlain ? ['DATABASE_URL'] : []]
  expect(plainTextSettings({ DATABASE_URL: url })).toEqual(settings)
  const each = { DATABASE_URL: local, DATABASE_DIRECT_URL: url, DATABASE_READ_URL: url }
  expect(plainTextSettings(each)).toEqual(isPlain ? ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'] : [])
})

test('a program of the runtime role on this machine, without a standby, is told nothing', async () => {
  expect(await warningsAt(asProgram(server.databaseUrl))).toEqual([])
})

test('a program that could rewrite the ledger is told so, once', async () => {
  expect(await warningsAt(server.databaseUrl)).toMatchObject([{ msg: rewrites }])
})

test('an address in plain text is told by its setting, without what it holds', async () => {
  const elsewhere = { DATABASE_READ_URL: 'postgresql://reader:hidden@db.internal/x' }
  const said = await warningsAt(asProgram(server.databaseUrl), elsewhere)
  // That nobody is there may be told beside it, by its name.
  const isWarning = (line: unknown) => JSON.stringify(line).includes(plainText)
  const warned = said.filter(isWarning)
  expect(warned).toMatchObject([{ setting: 'DATABASE_READ_URL' }])
  expect(JSON.stringify(warned)).not.toMatch(/hidden|db\.internal/)
  expect(JSON.stringify(said)).not.toContain('hidden')
})

test('a standby that confirms nothing is told to the program, one that confirms is not', async () => {
  const databaseUrl = asProgram(server.databaseUrl)
  await whileStandbyIsAttached(async () => {
    expect(await warningsAt(databaseUrl)).toMatchObject([{ msg: loses }])
    await configure(`SET synchronous_standby_names = 'node2'`)
    await using start = startAt(databaseUrl)
    await expect.poll(() => isAsynchronous(start.services)).toBe(false)
    await warnOfDatabase(start.services)
    expect(start.said).toEqual([])
    await configure('RESET synchronous_standby_names')
  })
})

test('a database that is away is no reason for a warning', async () => {
  expect(await warningsAt(`postgresql://u@127.0.0.1:${await freePort()}/x_test`)).toEqual([])
})
