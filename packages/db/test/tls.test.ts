import { askOne } from '@meridian/embedded-postgres/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseAddress, migrate, openDatabase, openPool } from '../src/index.ts'
import { startTlsServer, type TlsServer } from '../src/testing/index.ts'
import { migration } from './make-migration.ts'

let server: TlsServer
beforeAll(async () => {
  server = await startTlsServer()
})
afterAll(() => server.stop())

const isEncrypted = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'

/** Whether the connection is encrypted, or the code by which it was refused. */
async function reach(databaseUrl: string): Promise<unknown> {
  const pool = openPool(databaseUrl, { maxConnections: 1 })
  try {
    return (await pool.query<{ ssl: boolean }>(isEncrypted)).rows[0]?.ssl
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  } finally {
    await pool.end()
  }
}

const [unknown, wrongName] = ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID']

test.each([
  ['disable', 'none', 'localhost', false],
  ['no-verify', 'none', '127.0.0.1', true],
  ['require', 'none', 'localhost', unknown],
  ['require', 'ours', 'localhost', true],
  ['require', 'ours', '127.0.0.1', true],
  ['require', 'another', 'localhost', unknown],
  ['verify-ca', 'none', 'localhost', unknown],
  ['verify-ca', 'ours', '127.0.0.1', true],
  ['verify-ca', 'another', '127.0.0.1', unknown],
  ['verify-full', 'none', 'localhost', unknown],
  ['verify-full', 'ours', 'localhost', true],
  ['verify-full', 'ours', '127.0.0.1', wrongName],
  ['verify-full', 'another', 'localhost', unknown],
] as const)(
  'sslmode=%s with authority %s, asked for as %s: %s',
  async (...[mode, authority, host, expected]) => {
    const caFile = { none: undefined, ours: server.caFile, another: server.otherCaFile }[authority]
    expect(await reach(databaseAddress(server.at(host, mode), { caFile }))).toBe(expected)
  },
)

test('an address without a word about TLS is in plain text where the server takes it', async () => {
  expect(await reach(server.databaseUrl)).toBe(false)
})

test('migrations and Prisma are as encrypted as the pool they use', async () => {
  const address = databaseAddress(server.at('localhost', 'verify-full'), { caFile: server.caFile })
  const only = migration('20300101000000_only', 'CREATE TABLE only_one (id int);')
  expect(await migrate(address, { migrations: [only] })).toEqual({ applied: [only.name] })
  expect(await askOne(server.databaseUrl, `SELECT to_regclass('only_one')::text`)).toBe('only_one')
  await using database = openDatabase(address, { maxConnections: 2 })
  const read = () => database.prisma.$queryRawUnsafe(isEncrypted)
  expect(
    await Promise.all([read(), database.prisma.$transaction(async (db) => db.$queryRawUnsafe(isEncrypted))]),
  ).toEqual([[{ ssl: true }], [{ ssl: true }]])
})
