import { runtimeRole } from '@meridian/db'
import { asProgram, startTlsServer, type TlsServer } from '@meridian/db/testing'
import { askOne, createProgramUser } from '@meridian/embedded-postgres/testing'
import { type Platform, startPlatform } from '@meridian/payments/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand, startApi } from '../world/api-process.ts'
import { call, Phone } from '../world/phone.ts'
import { platformKeys } from '../world/platform-keys.ts'
import { prepareDatabase } from '../world/prepare-database.ts'
import { environmentFor } from '../world/test-world.ts'

let platform: Platform
let server: TlsServer
beforeAll(async () => {
  platform = await startPlatform({ keys: platformKeys() })
  server = await startTlsServer()
  await prepareDatabase(server.databaseUrl)
  const password = new URL(asProgram(server.databaseUrl)).password
  await createProgramUser(server.databaseUrl, { memberOf: runtimeRole, password })
})
afterAll(async () => {
  await platform.stop()
  await server.stop()
})

const programs = `FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'meridian_app'`

test('an API with its jobs works over TLS, and not one of its connections is in plain text', async () => {
  const databaseUrl = server.at('localhost', 'verify-full')
  const more = { DATABASE_CA_FILE: server.caFile, MERIDIAN_ROLE: 'all' }
  const api = await startApi({ platform, databaseUrl, more })
  expect(await call(`${api.url}/readyz`)).toMatchObject({
    status: 200,
    body: { status: 'ready', checks: { database: 'ok', migrations: 'ok', jobs: 'ok' } },
  })
  const phone = await Phone.logIn(api.url, platform, 'oEncrypted')
  await phone.pays(await phone.buys('monthly'))
  expect((await phone.subscription()).remaining_days).toBe(30)
  const listening = `SELECT count(*) > 2 AND bool_or(query ILIKE 'LISTEN%') ${programs}`
  await expect.poll(() => askOne(server.databaseUrl, listening)).toBe(true)
  expect(await askOne(server.databaseUrl, `SELECT bool_and(ssl) ${programs}`)).toBe(true)
  await api.stop()
})

test('a command works over TLS, and says in one line when the authority is not the server’s', async () => {
  const environment = environmentFor(server.at('localhost', 'verify-full'), 4000)
  const run = (caFile: string) =>
    runCommand('verify-ledger', { env: { ...environment, DATABASE_CA_FILE: caFile } })
  expect(await run(server.caFile)).toMatchObject({ code: 0 })
  expect(await run(server.otherCaFile)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^[\w:-]+: unable to verify the first certificate\n$/),
  })
})

test('an API whose server’s certificate nobody it knows has signed starts, and is not ready', async () => {
  const databaseUrl = server.at('localhost', 'require')
  const api = await startApi({ platform, databaseUrl, awaited: '/healthz' })
  expect(await call(`${api.url}/readyz`)).toMatchObject({
    status: 503,
    body: { checks: { database: 'failed' } },
  })
  await expect.poll(api.output).toContain('unable to verify the first certificate')
  expect(await askOne(server.databaseUrl, `SELECT count(*)::int ${programs}`)).toBe(0)
  await api.stop()
})
