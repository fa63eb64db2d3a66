import { once } from 'node:events'
import { connect } from 'node:net'
import { cloneDatabase } from '@meridian/db/testing'
import { systemRuntime } from '@meridian/payments'
import { type Platform, startPlatform } from '@meridian/payments/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'
import { openServices } from '../../src/services.ts'
import { paymentEnvironment, spawnApi, startApi } from '../world/api-process.ts'
import { openDatabaseGate } from '../world/database-gate.ts'
import { freePort } from '../world/free-port.ts'
import { call, codeOf, Phone } from '../world/phone.ts'
import { platformKeys } from '../world/platform-keys.ts'
import { environmentFor } from '../world/test-world.ts'

let platform: Platform
let payments: Awaited<ReturnType<typeof paymentEnvironment>>
let database: Awaited<ReturnType<typeof cloneDatabase>>
const notifyUrl = 'http://127.0.0.1:4000/api/v1/payment/notify'

beforeAll(async () => {
  platform = await startPlatform({ keys: platformKeys() })
  payments = await paymentEnvironment(platform, notifyUrl)
  database = await cloneDatabase()
})
afterAll(async () => {
  await payments.remove()
  await platform.stop()
  await database.drop()
})

const plain = (more: Record<string, string> = {}) =>
  environmentFor('postgresql://u@127.0.0.1:1/x_test', 4000, more)
const paying = (more: Record<string, string> = {}) => plain({ ...payments.environment, ...more })

/** The problems with which the API refuses to start in this environment; none when it would start. */
async function problemsOf(environment: Record<string, string>): Promise<readonly string[]> {
  try {
    const services = openServices(readConfig(environment), pino({ level: 'silent' }), systemRuntime)
    await services.database.close()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

describe('settings', () => {
  test.each([
    ['NODE_ENV', 'staging'],
    ['DATABASE_URL', 'mysql://user:password@host/name'],
    ['DATABASE_URL', 'nonsense'],
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '40.5'],
    ['METRICS_PORT', 'eighty'],
    ['CONSOLE_URL', 'ftp://console.example'],
    ['JWT_SECRET', 'x'.repeat(31)],
    ['AUTH_SECRET', 'too short a secret'],
    ['DATA_KEY', 'too short a key'],
    ['WECHAT_API_BASE_URL', 'http://api.example.com'],
    ['WECHAT_API_BASE_URL', 'nonsense'],
    ['WECHAT_API_BASE_URL', 'ftp://api.example.com'],
    ['RATE_LIMITS', 'login 120'],
    ['RATE_LIMITS', 'login=many,user=few'],
    ['RATE_LIMITS', 'guess=1'],
    ['RATE_LIMITS', 'login=-1'],
    ['TRUST_PROXY', 'proxy.example'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.1,300.1.1.1'],
    ['REDIS_URL', 'http://redis.example'],
    ['LOG_LEVEL', 'chatty'],
    ['MERIDIAN_ROLE', 'master'],
    ['DRAIN_SECONDS', 'a while'],
    ['DRAIN_SECONDS', '601'],
    ['WECHAT_APP_ID', 'wx-another-app'],
    ['WECHAT_PAY_BASE_URL', 'http://api.example.com'],
    ['WECHAT_PAY_BASE_URL', 'https://api.example.com/v3'],
    ['WECHAT_PAY_MCH_ID', 'not a number'],
    ['WECHAT_PAY_MERCHANT_SERIAL_NO', 'not-hexadecimal'],
    ['WECHAT_PAY_MERCHANT_PRIVATE_KEY_FILE', '/no/such/file.key'],
    ['WECHAT_PAY_MERCHANT_PRIVATE_KEY_FILE', 'package.json'],
    ['WECHAT_PAY_API_V3_KEY', 'x'.repeat(31)],
    ['WECHAT_PAY_API_V3_KEY', Array(3).fill('x'.repeat(32)).join()],
    ['WECHAT_PAY_PLATFORM_KEYS', 'no-pairs-at-all'],
    ['WECHAT_PAY_PLATFORM_KEYS', `PUB_KEY_ID_1=/no/such/file.pem`],
    ['WECHAT_PAY_NOTIFY_URL', 'http://shop.example/notify'],
    ['WECHAT_PAY_NOTIFY_URL', 'https://shop.example/notify?order=1'],
    ['WECHAT_PAY_NOTIFY_URL', 'nonsense'],
  ])('%s as "%s" stops the start with a line that names it and not what it holds', async (name, value) => {
    const problems = await problemsOf(paying({ [name]: value }))
    expect([...new Set(problems.map((problem) => problem.split(':')[0]))]).toEqual([name])
    for (const problem of problems) {
      expect(problem).toMatch(/^\w+: \S.*$/)
      expect(problem).not.toContain(value)
    }
    expect(problems).toHaveLength(1)
  })

  test('a process that watches a replica needs a connection more to the primary; a worker watches none', async () => {
    const settings = { DATABASE_READ_URL: 'postgresql://u@127.0.0.1:1/x_test', DATABASE_POOL_SIZE: '6' }
    expect(await problemsOf(plain(settings))).toEqual([
      'DATABASE_POOL_SIZE: must be over 6 with DATABASE_READ_URL',
    ])
    expect(await problemsOf(plain({ ...settings, MERIDIAN_ROLE: 'worker' }))).toEqual([])
  })
  test.each(['DATABASE_URL', 'JWT_SECRET', 'AUTH_SECRET', 'DATA_KEY'])(
    '%s is required, and an empty one counts as unset',
    async (name) => {
      const { [name]: _unset, ...without } = plain()
      for (const environment of [without, plain({ [name]: '' }), plain({ [name]: '  ' })])
        expect(await problemsOf(environment)).toEqual([`${name}: is required`])
    },
  )

  test('each problem has a line of its own', async () => {
    const bad = { JWT_SECRET: '', AUTH_SECRET: 'short', PORT: 'x', WECHAT_PAY_BASE_URL: 'x' }
    const names = (await problemsOf(plain(bad))).map((problem) => problem.split(':')[0])
    expect(names.sort()).toEqual(['AUTH_SECRET', 'JWT_SECRET', 'PORT', 'WECHAT_PAY_BASE_URL'])
  })

  test('an empty environment variable is the default', () => {
    const unset = [
      'NODE_ENV',
      'HOST',
      'PORT',
      'METRICS_PORT',
      'RATE_LIMITS',
      'LOG_LEVEL',
      'MERIDIAN_ROLE',
      'DRAIN_SECONDS',
    ]
    const config = readConfig(plain(Object.fromEntries(unset.map((name) => [name, '']))))
    expect(config).toMatchObject({
      NODE_ENV: 'production',
      HOST: '0.0.0.0',
      PORT: 4000,
      METRICS_PORT: 9464,
      LOG_LEVEL: 'info',
    })
    expect(config).toMatchObject({
      METRICS_HOST: '127.0.0.1',
      MERIDIAN_ROLE: 'all',
      DRAIN_SECONDS: 5,
      payments: null,
      login: null,
    })
    expect(config.RATE_LIMITS).toEqual({
      login: 120,
      purchase: 10,
      sync: 30,
      bind: 10,
      reports: 20,
      user: 300,
      anonymous: 600,
      integration: 600,
    })
  })

  test('some of the seven payment settings stop the start and name those that are missing', async () => {
    const seven = Object.keys(payments.environment).filter((name) => /^WECHAT_PAY_(?!BASE)/.test(name))
    expect(seven).toHaveLength(7)
    for (const name of seven) {
      expect(await problemsOf(paying({ [name]: '' }))).toEqual([
        expect.stringMatching(new RegExp(`^${name}: is required`)),
      ])
      const others = Object.fromEntries(seven.filter((one) => one !== name).map((one) => [one, '']))
      const named = (await problemsOf(paying(others))).map((problem) => problem.split(':')[0])
      expect(named.sort()).toEqual(Object.keys(others).sort())
    }
    expect(await problemsOf(paying())).toEqual([])
    expect(await problemsOf(paying(Object.fromEntries(seven.map((name) => [name, '']))))).toEqual([])
  })

  test('without one of the two login settings the login is off, and with the payment app id it is on', () => {
    expect(readConfig(plain({ WECHAT_APP_ID: 'wx1' })).login).toBe(null)
    expect(readConfig(plain({ WECHAT_APP_SECRET: 's' })).login).toBe(null)
    expect(readConfig(paying({ WECHAT_APP_ID: '' })).login?.appId).toBe(payments.environment.WECHAT_APP_ID)
  })

  test('a platform that is not the official one is a sandbox', () => {
    expect(readConfig(paying()).platform).toBe('sandbox')
    const noPushes = {
      WECHAT_VIRTUAL_OFFER_ID: '',
      WECHAT_VIRTUAL_APP_KEY: '',
      WECHAT_PUSH_TOKEN: '',
      WECHAT_PUSH_AES_KEY: '',
    }
    expect(readConfig(paying({ WECHAT_PAY_BASE_URL: '', ...noPushes })).platform).toBe('official')
    expect(readConfig(plain()).platform).toBe('off')
  })

  test('a console that is spoken to over plain http stops the start where the platform is the official one', async () => {
    const official = { WECHAT_PAY_BASE_URL: '' }
    const exposed = { CONSOLE_URL: 'http://192.168.1.20:3000' }
    expect(await problemsOf(paying({ ...official, ...exposed }))).toEqual([
      expect.stringMatching(/^CONSOLE_URL: must be https \S.*loopback\)$/),
    ])
    const allowed = ['https://console.example.com', 'http://127.0.0.1:3000', 'http://localhost:3000', '']
    for (const address of allowed)
      expect([address, ...(await problemsOf(paying({ ...official, CONSOLE_URL: address })))]).toEqual([
        address,
      ])
    expect(await problemsOf(paying(exposed))).toEqual([])
    expect(await problemsOf(plain(exposed))).toEqual([])
  })

  test('two API v3 keys while rotating, and keys that are downloaded, are settings that hold', async () => {
    const key = payments.environment.WECHAT_PAY_API_V3_KEY
    expect(await problemsOf(paying({ WECHAT_PAY_API_V3_KEY: `${'n'.repeat(32)},${key}` }))).toEqual([])
    expect(await problemsOf(paying({ WECHAT_PAY_PLATFORM_KEYS: 'auto' }))).toEqual([])
  })
})

// A program takes its time to start where everything else runs too.
describe('the program', () => {
  const ended = async (environment: Record<string, string>) => {
    const api = spawnApi(environment)
    await once(api.process, 'close')
    return { code: api.process.exitCode, output: api.output() }
  }

  test('on a port that is taken, or a host that is nowhere, ends with 1 and one line', async () => {
    const [taken, free, metrics] = [Number(new URL(platform.url).port), await freePort(), await freePort()]
    const on = (port: number, more: Record<string, string>) =>
      ended(environmentFor(database.databaseUrl, port, { METRICS_PORT: String(metrics), ...more }))
    const [busy, homeless] = await Promise.all([
      on(taken, {}),
      on(free, { HOST: 'no-such-host.invalid', METRICS_PORT: '0' }),
    ])
    expect(busy).toEqual({
      code: 1,
      output: `meridian-api: port ${taken} is in use (PORT or METRICS_PORT)\n`,
    })
    expect(homeless).toEqual({ code: 1, output: expect.stringMatching(/^meridian-api: HOST [^\n]*\n$/) })
  })

  test('without a secret ends with 1 and one line, which its starter is told', async () => {
    const start = startApi({ platform, databaseUrl: database.databaseUrl, more: { JWT_SECRET: '' } })
    await expect(start).rejects.toThrow(
      /\(exit code 1\)\. Its last lines:\nmeridian-api: JWT_SECRET: is required$/,
    )
  })

  test('drains on SIGTERM: not ready, the request under way finished, exit code 0; and its log holds no secret', async () => {
    const api = await startApi({
      platform,
      databaseUrl: database.databaseUrl,
      more: { LOG_LEVEL: 'info', DRAIN_SECONDS: '1' },
    })
    const code = platform.loginCode('oLoggedNowhere')
    const login = await call(`${api.url}/api/v1/auth/login`, { method: 'POST', body: { code } })
    const { access_token: token, refresh_token: refreshToken } = Object(login.body)
    const phone = new Phone(`${api.url}/api/v1`, {
      openid: 'oLoggedNowhere',
      platform,
      tokens: { access_token: token, refresh_token: refreshToken, token_type: 'Bearer', expires_in: 7200 },
    })
    await phone.pays(await phone.buys('monthly'))
    expect((await phone.subscription()).remaining_days).toBe(30)
    await phone.call('/auth/refresh', { method: 'POST', body: { refresh_token: refreshToken } })
    await phone.call('/me', { token: 'a-token-nobody-signed' })

    platform.faults.add({ kind: 'delay', at: 'prepay', ms: 2000, times: 1 })
    const underWay = phone.call('/subscription/purchase', {
      method: 'POST',
      body: { plan_code: 'yearly' },
      headers: { 'x-request-id': 'under-way' },
    })
    await expect.poll(() => platform.faults.rules, { interval: 5 }).toEqual([])
    const silent = connect(Number(new URL(api.url).port), '127.0.0.1')
    await once(
      silent.on('error', () => silent.destroy()),
      'connect',
    )
    const exit = once(api.process, 'exit')
    api.process.kill('SIGTERM')
    const ready = () => call(`${api.url}/readyz`)
    await expect.poll(ready).toMatchObject({ status: 503, body: { status: 'draining' } })
    api.process.kill('SIGTERM')
    expect((await call(`${api.url}/healthz`)).status).toBe(200)
    expect(await underWay).toMatchObject({ status: 201, body: { order: { status: 'prepay' } } })
    const finished = performance.now()
    expect(await exit).toEqual([0, null])
    expect(performance.now() - finished).toBeLessThan(20_000)
    silent.destroy()

    const lines = api.output().trim().split('\n')
    const entries = lines.map((line): unknown => JSON.parse(line))
    expect(entries).toContainEqual(
      expect.objectContaining({
        client_request_id: 'under-way',
        route: '/api/v1/subscription/purchase',
        status: 201,
      }),
    )
    expect(entries.filter((entry) => JSON.stringify(entry).includes('sandbox: no real money'))).toHaveLength(
      1,
    )
    const { WECHAT_APP_SECRET: appSecret, WECHAT_PAY_API_V3_KEY: apiV3Key } = payments.environment
    const { JWT_SECRET, AUTH_SECRET, DATA_KEY } = plain()
    const keyLine = platform.keys.merchant.privateKey.split('\n')[1]
    const secrets = [
      code,
      token,
      refreshToken,
      phone.openid,
      appSecret,
      apiV3Key,
      keyLine,
      JWT_SECRET,
      AUTH_SECRET,
      DATA_KEY,
    ]
    for (const secret of [...secrets, 'a-token-nobody-signed', 'session_key', 'Bearer ', 'paySign'])
      expect(api.output()).not.toContain(secret)
    await api.stop()
  })

  test('goes on without its database, says that it is not ready, and works again when it is back', async () => {
    const gate = await openDatabaseGate(database.databaseUrl)
    const api = await startApi({ platform, databaseUrl: gate.databaseUrl, more: { LOG_LEVEL: 'warn' } })
    const phone = await Phone.logIn(api.url, platform, 'oPatient')
    expect(await call(`${api.url}/readyz`)).toMatchObject({
      status: 200,
      body: {
        status: 'ready',
        platform: 'sandbox',
        checks: { database: 'ok', migrations: 'ok', jobs: 'ok' },
      },
    })
    await gate.cut()
    const readiness = () => call(`${api.url}/readyz`)
    const isAway = { status: 503, body: { status: 'not_ready', checks: { database: 'failed' } } }
    await expect.poll(readiness, { timeout: 30_000 }).toMatchObject(isAway)
    expect((await call(`${api.url}/healthz`)).status).toBe(200)
    const refused = await phone.purchaseAnswer('monthly')
    expect([refused.status, codeOf(refused)]).toEqual([503, 'service_unavailable'])
    await gate.mend()
    await expect.poll(async () => (await call(`${api.url}/readyz`)).status).toBe(200)
    await phone.pays(await phone.buys('monthly'))
    expect((await phone.subscription()).remaining_days).toBe(30)
    for (const line of api.output().trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
    await api.stop()
    await gate.cut()
  })

  test('serves the socket it is handed, whoever listens on its ports, while its database is away, and runs its jobs once it is there', async () => {
    const gate = await openDatabaseGate(database.databaseUrl)
    await gate.cut()
    const taken = new URL(platform.url).port
    const api = await startApi({
      platform,
      databaseUrl: gate.databaseUrl,
      more: { MERIDIAN_ROLE: 'all', PORT: taken },
      awaited: '/healthz',
    })
    expect(new URL(api.url).port).not.toBe(taken)
    expect(await call(`${api.url}/healthz`)).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect((await call(`${api.url}/readyz`)).status).toBe(503)
    await gate.mend()
    const phone = await vi.waitFor(() => Phone.logIn(api.url, platform, 'oEarlyBird'), { timeout: 120_000 })
    await phone.pays(await phone.buys('monthly'), { silent: true })
    await expect.poll(async () => (await phone.subscription()).remaining_days).toBe(30)
    await api.stop()
    await gate.cut()
  })
})
