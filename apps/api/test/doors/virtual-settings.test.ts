import { describe, expect, test } from 'vitest'
import { type Config, ConfigError, readConfig } from '../../src/config.ts'
import { startApi } from '../world/api-process.ts'
import { call, codeOf } from '../world/phone.ts'
import { environmentFor, openTestWorld } from '../world/test-world.ts'
import { useDatabase, usePlatform } from '../world/use-opened.ts'
import { openVirtualShop } from '../world/virtual-shop.ts'

const login = { WECHAT_APP_ID: 'wx0123456789abcdef', WECHAT_APP_SECRET: 'app-secret-of-a-test' }
const four = {
  WECHAT_VIRTUAL_OFFER_ID: '1450000001',
  WECHAT_VIRTUAL_APP_KEY: 'app-key-of-a-test-0123456789',
  WECHAT_PUSH_TOKEN: 'tokenOfATest01',
  WECHAT_PUSH_AES_KEY: 'aesKeyOfATest'.padEnd(43, 'x'),
}
const environment = (more: Record<string, string> = {}) =>
  environmentFor('postgresql://u@127.0.0.1:1/x_test', 4000, { ...login, ...four, ...more })
const configOf = (more: Record<string, string> = {}): Config => readConfig(environment(more))

/** The lines that the start ends with; none where it goes on. */
function problemsOf(more: Record<string, string>): readonly string[] {
  try {
    configOf(more)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
const namesOf = (problems: readonly string[]) => problems.map((problem) => problem.split(':')[0]).sort()

describe('the settings of virtual payment', () => {
  test('some of the settings of virtual payment stop the start, each missing one named and nothing told of the others', () => {
    const all = { ...four, ...login }
    for (const name of Object.keys(all)) {
      expect(problemsOf({ [name]: '' })).toEqual([`${name}: is required when virtual payment is configured`])
    }
    for (const name of Object.keys(four)) {
      const others = Object.keys(all).filter((one) => one !== name)
      const problems = problemsOf(Object.fromEntries(others.map((one) => [one, ''])))
      expect(namesOf(problems)).toEqual(others.sort())
      for (const secret of Object.values(all)) expect(problems.join('\n')).not.toContain(secret)
    }
    expect(problemsOf({})).toEqual([])
    expect(configOf(Object.fromEntries(Object.keys(four).map((one) => [one, '']))).virtual).toBe(null)
  })

  test.each([
    ['WECHAT_VIRTUAL_OFFER_ID', 'an offer with spaces'],
    ['WECHAT_VIRTUAL_OFFER_ID', '1'.repeat(65)],
    ['WECHAT_VIRTUAL_APP_KEY', 'a key with spaces'],
    ['WECHAT_VIRTUAL_APP_KEY', 'k'.repeat(129)],
    ['WECHAT_PUSH_TOKEN', 'ab'],
    ['WECHAT_PUSH_TOKEN', 'a'.repeat(33)],
    ['WECHAT_PUSH_TOKEN', 'token-with-dashes'],
    ['WECHAT_PUSH_AES_KEY', 'x'.repeat(42)],
    ['WECHAT_PUSH_AES_KEY', `${'x'.repeat(42)}=`],
    ['WECHAT_VIRTUAL_ENV', '2'],
    ['WECHAT_VIRTUAL_ENV', 'sandbox'],
  ])('%s as "%s" stops the start with a line that names it and not what it holds', (name, value) => {
    const problems = problemsOf({ [name]: value })
    expect(namesOf(problems)).toEqual([name])
    expect(problems.join('\n')).not.toContain(value.length > 2 ? value : ` ${value} `)
  })

  test('the environment is 0 unless its own setting says 1, whatever else is set', () => {
    const elsewhere = { WECHAT_API_BASE_URL: 'http://127.0.0.1:4100', NODE_ENV: 'development' }
    for (const more of [{}, { WECHAT_VIRTUAL_ENV: '' }, { WECHAT_VIRTUAL_ENV: '0' }, elsewhere])
      expect(configOf(more).virtual?.env).toBe(0)
    expect(configOf({ WECHAT_VIRTUAL_ENV: '1' }).virtual?.env).toBe(1)
  })

  test('with environment 1 the installation is a sandbox, and without it what its addresses are', () => {
    const kindOf = (more: Record<string, string>) => configOf(more).platform
    expect(kindOf({})).toBe('official')
    expect(kindOf({ WECHAT_VIRTUAL_ENV: '1' })).toBe('sandbox')
    expect(kindOf({ WECHAT_API_BASE_URL: 'http://127.0.0.1:4100' })).toBe('sandbox')
    const off = Object.fromEntries(Object.keys(four).map((name) => [name, '']))
    expect(kindOf(off)).toBe('off')
    expect(kindOf({ ...off, WECHAT_VIRTUAL_ENV: '1' })).toBe('sandbox')
  })
})

describe('the program', () => {
  const platform = usePlatform()
  const database = useDatabase()

  test.each([
    ['1', 'sandbox'],
    ['0', 'official'],
  ])(
    'with environment %s at the official addresses says %s where it says that it is ready',
    async (env, kind) => {
      const official = { WECHAT_API_BASE_URL: '', WECHAT_PAY_BASE_URL: '', MERIDIAN_ROLE: 'api' }
      const api = await startApi({
        platform,
        databaseUrl: database.databaseUrl,
        more: { ...official, WECHAT_VIRTUAL_ENV: env, WECHAT_PAY_NOTIFY_URL: 'https://shop.example/notify' },
      })
      expect(await call(`${api.url}/readyz`)).toMatchObject({ status: 200, body: { platform: kind } })
      await api.stop()
    },
  )
})

test('the channel works without the seven settings of the other one, which then sells nothing', async () => {
  await using world = await openTestWorld({ payments: 'off', virtual: 'on' })
  await openVirtualShop(world, { other: 'jsapi' })
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPaysVirtually()
  expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid', channel: 'virtual' })
  expect((await phone.subscription()).remaining_days).toBe(30)
  const refused = await phone.purchaseAnswer('yearly')
  expect([refused.status, codeOf(refused)]).toEqual([503, 'payment_not_configured'])
})

test('without its settings it sells nothing by this channel, and its address for pushes answers with a body', async () => {
  await using world = await openTestWorld({ payments: 'on', virtual: 'off' })
  await openVirtualShop(world)
  const refused = await (await world.phone()).virtualAnswer()
  expect([refused.status, codeOf(refused)]).toEqual([503, 'payment_not_configured'])
  const { headers, body, url } = world.platform.push({ Event: 'any' })
  const answer = await fetch(url, { method: 'POST', headers, body })
  expect([answer.status, await answer.json()]).toEqual([503, { ErrCode: 1, ErrMsg: expect.any(String) }])
})
