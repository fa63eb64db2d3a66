import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { countOlder, openDataKeys } from '../../src/platform/crypto/data-keys.ts'
import { deriveKey, macOf, type Secrets, seal, UnsealError, unseal } from '../../src/platform/crypto/seal.ts'
import { sealedColumns } from '../../src/startup/start-checks.ts'
import { runCommand, spawnApi } from '../world/api-process.ts'
import { consoleToken, hire, signInAs } from '../world/console.ts'
import { freePort } from '../world/free-port.ts'
import { call } from '../world/phone.ts'
import { environmentFor, openTestWorld, type TestWorld } from '../world/test-world.ts'

const next = 'the-next-data-key-the-next-data-key-the-next-one'
const other = 'another-data-key-another-data-key-another-one-0'

async function startWith(world: TestWorld, dataKey: string) {
  const api = spawnApi(environmentFor(world.databaseUrl, await freePort(), { DATA_KEY: dataKey }))
  await once(api.process, 'exit')
  return { code: api.process.exitCode, output: api.output() }
}

test('a DATA_KEY that opens nothing stops the start with one line', async () => {
  await using world = await openTestWorld()
  await world.services.dataKeys.check()
  expect(await startWith(world, other)).toEqual({
    code: 1,
    output: 'meridian-api: DATA_KEY: does not open what is stored with another one\n',
  })
})

async function rekey(world: TestWorld, dataKey: string) {
  const env = { DATABASE_URL: world.databaseUrl, DATA_KEY: dataKey }
  const { code, stdout: out } = await runCommand('rekey-data', { env })
  return { code, out }
}

test('after data:rekey the newest key opens everything alone, and marks of people are the same', async () => {
  await using world = await openTestWorld()
  const { pool } = world.services.database
  const current = world.config.DATA_KEY
  const mark = await world.services.dataKeys.markOf('o-someone')
  await world.services.dataKeys.check()
  await hire(world, { email: 'owner@meridian.test' })
  for (let n = 0; n < 3; n += 1)
    await world.query('INSERT INTO devices (serial_number, sealed_secret) VALUES ($1, $2)', [
      `SN-000${n}`,
      seal(current, `device:SN-000${n}`, Buffer.from(`secret ${n}`)),
    ])
  const rotating: Secrets = [next, current[0]]
  expect(await countOlder(pool, rotating, sealedColumns)).toEqual({
    byPlace: [{ place: 2, count: 6 }],
    unmarked: 0,
  })
  const { code, out } = await rekey(world, rotating.join(','))
  expect(code).toBe(0)
  expect(out).toContain('device secrets: 3 sealed again')
  expect(out).toContain('authenticators: 1 sealed again')
  const renewed = openDataKeys(pool, [next])
  await renewed.check()
  expect(await renewed.markOf('o-someone')).toBe(mark)
  const [device] = await world.query<{ sealed: Buffer }>(
    "SELECT sealed_secret AS sealed FROM devices WHERE serial_number = 'SN-0001'",
  )
  expect(unseal([next], 'device:SN-0001', device?.sealed ?? Buffer.of()).toString()).toBe('secret 1')
  await expect(openDataKeys(pool, current).check()).rejects.toThrow(UnsealError)
  expect((await rekey(world, next)).out).toContain('device secrets: 0 sealed again')
})

test('marks made before there was a key of their own still hold, also while DATA_KEY is rotated', async () => {
  await using world = await openTestWorld()
  const [former] = world.config.DATA_KEY
  const mark = macOf(deriveKey(former, 'mac'), 'o-banned')
  await world.query(
    `INSERT INTO users (id, openid, openid_mac, erased_at) VALUES (gen_random_uuid(), 'erased:' || $1, $1, now())`,
    [mark],
  )
  const keys = openDataKeys(world.services.database.pool, [next, former])
  expect(await keys.markOf('o-banned')).toBe(mark)
})

test('several programs that start at once agree on one key', async () => {
  await using world = await openTestWorld()
  const { pool } = world.services.database
  const marks = await Promise.all(
    Array.from({ length: 8 }, () => openDataKeys(pool, world.config.DATA_KEY).markOf('o-1')),
  )
  expect(new Set(marks).size).toBe(1)
})

test('tokens of users and of the console that an older secret signed are good while it is in the list', async () => {
  const [older, newest] = [
    'older-secret-older-secret-older-secret-0',
    'newest-secret-newest-secret-newest-secret',
  ]
  const both = `${newest},${older}`
  await using world = await openTestWorld({ environment: { JWT_SECRET: both, AUTH_SECRET: both } })
  const phone = await world.phone()
  const me = (token: string) => call(`${world.url}/api/v1/me`, { token })
  expect((await me(phone.tokens.access_token)).status).toBe(200)
  const [header = '', claims = ''] = phone.tokens.access_token.split('.')
  const resigned = sign(`${header}.${claims}`, older)
  expect((await me(resigned)).status).toBe(200)
  expect((await me(sign(`${header}.${claims}`, other))).status).toBe(401)
  await hire(world, { email: 'owner@meridian.test' })
  expect((await signInAs(world, 'owner@meridian.test')).token).toBeTruthy()
  const ping = async (secret: string) =>
    (
      await fetch(`${world.url}/trpc/operator.context`, {
        headers: { 'x-console-token': await consoleToken(world, {}, { secret }) },
      })
    ).status
  expect(await ping(older)).toBe(401)
  expect(await ping(newest)).toBe(401)
  expect(await ping(other)).toBe(404)
})

const sign = (signed: string, secret: string) =>
  `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
