import { asProgram, openPoolerDouble } from '@meridian/db/testing'
import { systemRuntime } from '@meridian/payments'
import { expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { doorBudgets, doors } from '../../src/platform/limits/open-doors.ts'
import { openLog } from '../../src/platform/log.ts'
import { closeServices, openServices } from '../../src/services.ts'
import { checkPooler } from '../../src/startup/check-pooler.ts'
import { startApi } from '../world/api-process.ts'
import { openDatabaseGate } from '../world/database-gate.ts'
import { freePort } from '../world/free-port.ts'
import { Phone } from '../world/phone.ts'
import { speakAsDatabase } from '../world/speak-as-database.ts'
import { environmentFor } from '../world/test-world.ts'
import { useDatabase, usePlatform } from '../world/use-opened.ts'

const platform = usePlatform()
const database = useDatabase()

/** The double speaks for whoever logs in, so it opens its connections as the program. */
const openPooler = (keepsNames: boolean) =>
  openPoolerDouble({ databaseUrl: asProgram(database.databaseUrl), size: 6, mode: 'transaction', keepsNames })

const wrongPooling = /^meridian-api: DATABASE_POOLING: must be transaction: [^\n]*\n$/
const behindNames = 'the database is behind a pooler that keeps named statements and no sessions'

/** What the start of a program does first, here with its log and its settings at hand. */
function startAt(databaseUrl: string, more: Record<string, string> = {}) {
  const said: string[] = []
  const refused: unknown[] = []
  const settings = { MERIDIAN_ROLE: 'api', DATABASE_URL: databaseUrl, DATABASE_POOLING: '', ...more }
  const services = openServices(
    readConfig(environmentFor(databaseUrl, 4000, settings)),
    openLog('info', { destination: { write: (line) => said.push(JSON.parse(line).msg) } }),
    systemRuntime,
  )
  return {
    said,
    refused,
    services,
    check: () => checkPooler(services, (error) => refused.push(error)),
    /** Of each door and of the alarms, in milliseconds; 0 is the server's own. */
    readLimits: async () => {
      const pools = [...doors.map((door) => services.doors[door].pool), services.alarmPool]
      const limits = `SELECT setting::int AS ms FROM pg_settings WHERE name = 'statement_timeout'`
      return Promise.all(pools.map(async (pool) => (await pool.query<{ ms: number }>(limits)).rows[0]?.ms))
    },
    [Symbol.asyncDispose]: () => closeServices(services),
  }
}

test('behind a pooler that keeps nothing the API ends with 1 and one line that names DATABASE_POOLING', async () => {
  await using pooler = await openPooler(false)
  const api = startApi({
    platform,
    databaseUrl: pooler.databaseUrl,
    more: { MERIDIAN_ROLE: 'api', LOG_LEVEL: 'error' },
  })
  const failure = await api.then(
    () => 'it started',
    (error: Error) => error.message,
  )
  expect(failure).toMatch(/exit code 1/)
  expect(`${failure.split('Its last lines:\n')[1]}\n`).toMatch(wrongPooling)
})

test('with DATABASE_POOLING=transaction the same pooler will do', async () => {
  await using pooler = await openPooler(false)
  const more = { MERIDIAN_ROLE: 'api', DATABASE_POOLING: 'transaction' }
  const api = await startApi({ platform, databaseUrl: pooler.databaseUrl, more })
  const phone = await Phone.logIn(api.url, platform, 'oPooled')
  expect(await phone.purchaseAnswer('monthly')).toMatchObject({ status: 201 })
  await api.stop()
})

test('behind one that keeps named statements it starts, says so once and sells', async () => {
  await using pooler = await openPooler(true)
  const more = { MERIDIAN_ROLE: 'api', LOG_LEVEL: 'info' }
  const api = await startApi({ platform, databaseUrl: pooler.databaseUrl, more })
  const phone = await Phone.logIn(api.url, platform, 'oNamed')
  await phone.pays(await phone.buys('monthly'))
  expect((await phone.subscription()).remaining_days).toBe(30)
  await api.stop()
  expect(api.output().split(behindNames)).toHaveLength(2)
})

test('there no door sets a limit for a session, which the next client would get', async () => {
  await using pooler = await openPooler(true)
  await using start = startAt(pooler.databaseUrl)
  await start.check()
  expect(start.said).toEqual([behindNames])
  expect(await start.readLimits()).toEqual([0, 0, 0, 0, 0])
})

test('a database without a pooler passes without a word, and each door sets its limits', async () => {
  await using start = startAt(asProgram(database.databaseUrl))
  await start.check()
  expect([start.said, start.refused]).toEqual([[], []])
  expect(await start.readLimits()).toEqual([...doors.map((door) => doorBudgets[door].statementMs), 4_000])
})

test('what is said to lead to a pooler is not asked', async () => {
  await using start = startAt(`postgresql://u@127.0.0.1:${await freePort()}/x_test`, {
    DATABASE_POOLING: 'transaction',
  })
  await start.check()
  expect([start.said, start.refused]).toEqual([[], []])
})

test('while the database is away the start goes on, and what leads to it is looked at once it is back', async () => {
  await using pooler = await openPooler(false)
  const gate = await openDatabaseGate(pooler.databaseUrl)
  await gate.cut()
  await using start = startAt(gate.databaseUrl)
  await start.check()
  expect(start.refused).toEqual([])
  await gate.mend()
  await expect
    .poll(() => start.refused)
    .toMatchObject([{ problems: [expect.stringMatching(/^DATABASE_POOLING: /)] }])
  await gate.cut()
})

test.each(['login', 'statement'] as const)(
  'a pooler whose server is away, told at the %s, is not taken for one that keeps nothing',
  async (at) => {
    // PgBouncer's only SQLSTATE for whatever it says of its own.
    const refuses = { at, code: '08P01', words: 'server login has been failing, try again later' }
    await using pooler = await speakAsDatabase({ refuses })
    await using start = startAt(pooler.databaseUrl)
    await start.check()
    expect([start.said, start.refused]).toEqual([[], []])
    expect(pooler.count().logins).toBeGreaterThan(0)
  },
)
