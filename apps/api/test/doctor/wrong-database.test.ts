import { createServer } from 'node:net'
import { asProgram, cloneDatabase, openPoolerDouble } from '@meridian/db/testing'
import { expect, test } from 'vitest'
import { expectFault, faultsOf, openDoctoredWorld } from '../world/doctored-world.ts'
import { certificateThatEndsIn, dayMs, openTlsGate } from '../world/tls-gate.ts'
import { useOpened } from '../world/use-opened.ts'

const doctored = useOpened(openDoctoredWorld)

test('finds that the database cannot be reached, and looks at everything that needs none', async () => {
  const findings = await doctored.examine({
    DATABASE_URL: 'postgresql://meridian_app:database-password@127.0.0.1:1/meridian',
  })
  expectFault(findings, { about: 'database', says: /ECONNREFUSED/, mend: /^start PostgreSQL/ })
  expect(findings).toContainEqual(expect.objectContaining({ about: 'WeChat Pay', level: 'well' }))
  expect(findings.map(({ about }) => about)).not.toContain('owners')
})

test('finds a database that takes the connection and says nothing, within a minute', async () => {
  const server = createServer(() => undefined)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const startedAt = performance.now()
  const findings = await doctored.examine({
    DATABASE_URL: `postgresql://meridian_app:database-password@127.0.0.1:${port}/meridian`,
  })
  expectFault(findings, { about: 'database', says: /timeout|no answer within 10 s/, mend: /./ })
  expect(performance.now() - startedAt).toBeLessThan(60_000)
  server.close()
})

test('finds a user that may rewrite the ledger', async () => {
  expectFault(await doctored.examine({ DATABASE_URL: doctored.world.behindGate }), {
    about: 'rights in the database',
    says: /could rewrite ledger/,
    mend: /IN ROLE meridian_runtime/,
  })
})

test('finds an address in plain text that leads off this machine', async () => {
  const url = new URL(doctored.environment['DATABASE_URL'] ?? '')
  // Linux takes it for this machine, and nothing else does.
  url.hostname = '0.0.0.0'
  expectFault(await doctored.examine({ DATABASE_URL: url.href }), {
    about: 'encryption to the database',
    says: /^DATABASE_URL is in plain text/,
    mend: /sslmode=verify-full/,
  })
})

const openPoolerOfTransactions = () =>
  openPoolerDouble({ databaseUrl: asProgram(doctored.world.databaseUrl), size: 3, mode: 'transaction' })

test('finds a pooler that keeps no named statements', async () => {
  await using pooler = await openPoolerOfTransactions()
  expectFault(await doctored.examine({ DATABASE_URL: pooler.databaseUrl, DATABASE_POOLING: 'session' }), {
    about: 'pooler',
    says: /keeps no named statements/,
    mend: /^DATABASE_POOLING=transaction/,
  })
})

test('finds a pooler where jobs and migrations need a session', async () => {
  await using pooler = await openPoolerOfTransactions()
  const direct = { DATABASE_POOLING: 'transaction', DATABASE_DIRECT_URL: pooler.databaseUrl }
  expectFault(await doctored.examine(direct), {
    about: 'direct address',
    says: /leads through a pooler/,
    mend: /past the pooler$/,
  })
  const right = await doctored.examine({
    ...direct,
    DATABASE_DIRECT_URL: asProgram(doctored.world.databaseUrl),
  })
  expect(faultsOf(right)).toEqual([])
})

test('finds direct and read addresses of another database', async () => {
  const other = await cloneDatabase()
  const elsewhere = asProgram(other.databaseUrl)
  expectFault(await doctored.examine({ DATABASE_DIRECT_URL: elsewhere }), {
    about: 'direct address',
    says: /another database/,
    mend: /^DATABASE_DIRECT_URL=/,
  })
  expectFault(await doctored.examine({ DATABASE_READ_URL: elsewhere }), {
    about: 'read address',
    says: /another database/,
    mend: /^DATABASE_READ_URL=/,
  })
  await other.drop()
  const leader = await doctored.examine({ DATABASE_READ_URL: doctored.environment['DATABASE_URL'] ?? '' })
  expect(leader).toContainEqual(
    expect.objectContaining({
      about: 'read address',
      level: 'warning',
      says: expect.stringContaining('leader'),
    }),
  )
})

test('finds a standby that does not answer', async () => {
  const settings = { DATABASE_READ_URL: 'postgresql://meridian_app:read-password@127.0.0.1:1/meridian' }
  expectFault(await doctored.examine(settings), {
    about: 'read address',
    says: /ECONNREFUSED/,
    mend: /^start the standby, or correct DATABASE_READ_URL/,
  })
})

test('says when the certificate of the database server ends, and finds one that ends in three days', async () => {
  const leader = new URL(asProgram(doctored.world.databaseUrl))
  const examineWith = async (validMs: number) => {
    await using gate = await openTlsGate(Number(leader.port), certificateThatEndsIn(validMs))
    const url = new URL(leader)
    url.port = String(gate.port)
    url.searchParams.set('sslmode', 'no-verify')
    const findings = await doctored.examine({ DATABASE_URL: url.href })
    return findings.filter(({ about }) => about === 'encryption to the database')
  }
  expect((await examineWith(60 * dayMs)).map(({ level }) => level)).toEqual(['well', 'well'])
  expectFault(await examineWith(3.5 * dayMs), {
    about: 'encryption to the database',
    says: /^the certificate of the database server ends in 3 days/,
    mend: /new certificate/,
  })
})
