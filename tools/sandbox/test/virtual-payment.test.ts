import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { createMiniProgram, systemRuntime } from '@meridian/payments'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from '../src/config.ts'
import { createSandbox, type Sandbox } from '../src/create-sandbox.ts'

const entry = new URL('../dist/sandbox.js', import.meta.url)

let folder: string
let running: { sandbox: Sandbox; url: string; settings: Record<string, string> }

async function start(): Promise<typeof running> {
  const env = { SANDBOX_FOLDER: folder, API_URL: 'http://127.0.0.1:9' }
  const sandbox = createSandbox(readConfig(env, entry))
  await new Promise<void>((listening) => sandbox.server.listen(0, '127.0.0.1', listening))
  const address = sandbox.server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const written = Object.entries(parseEnv(readFileSync(sandbox.announce(url), 'utf8')))
  return { sandbox, url, settings: Object.fromEntries(written.map(([name, value]) => [name, value ?? ''])) }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'meridian-sandbox-'))
  running = await start()
})
afterEach(() => {
  running.sandbox.stop()
  rmSync(folder, { recursive: true })
})

const ask = async (path: string, body?: object) => {
  const response = await fetch(`${running.url}${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const answer: unknown = await response.json()
  return { status: response.status, answer }
}

/** Signs as an API does that took the settings of this sandbox. */
async function sign(user: string, attempt: { attemptNo: string; productId: string; amountFen: number }) {
  const { settings, url } = running
  const program = createMiniProgram(
    { appId: settings['WECHAT_APP_ID'] ?? '', appSecret: settings['WECHAT_APP_SECRET'] ?? '', baseUrl: url },
    systemRuntime,
  )
  const code = async () =>
    z.object({ code: z.string() }).parse((await ask('/phone/login', { user })).answer).code
  const { openid } = await program.login(await code())
  const virtual = program.virtualPayments({
    offerId: settings['WECHAT_VIRTUAL_OFFER_ID'] ?? '',
    appKey: settings['WECHAT_VIRTUAL_APP_KEY'] ?? '',
    env: 0,
    pushToken: settings['WECHAT_PUSH_TOKEN'] ?? '',
    pushAesKey: settings['WECHAT_PUSH_AES_KEY'] ?? '',
  })
  return virtual.signPayment(attempt, { loginCode: await code(), openid })
}

const monthly = { attemptNo: 'M01SANDBOX0001', productId: 'monthly', amountFen: 2900 }

test('sells the items of the first plans from the start, on both systems, to whom the sheet belongs', async () => {
  const params = await sign('lin', monthly)
  const contents = { outTradeNo: monthly.attemptNo, description: '月度会员', amountFen: 2900 }
  expect(await ask('/phone/virtual-sheet', { user: 'lin', system: 'ios', params })).toEqual({
    status: 200,
    answer: contents,
  })
  const number = monthly.attemptNo
  expect((await ask('/phone/virtual-pay', { user: 'zhou', number })).status).toBe(400)
  expect((await ask('/phone/virtual-pay', { user: 'lin', number })).answer).toEqual({ paid: true })
  expect((await ask('/phone/virtual-payments', { user: 'lin' })).answer).toMatchObject([
    { number, byApple: true, leftFen: 2900 },
  ])
  const other = await sign('lin', { ...monthly, attemptNo: 'M01SANDBOX0002' })
  expect((await ask('/phone/pay', { user: 'lin', params: other })).answer).toEqual({ paid: true })
})

test('says with its number why a sheet does not open, and keeps the price that was set over a restart', async () => {
  await ask('/sandbox/virtual/item', { id: 'monthly', priceFen: 3000 })
  running.sandbox.stop()
  running = await start()
  const params = await sign('lin', monthly)
  expect(await ask('/phone/virtual-sheet', { user: 'lin', system: 'android', params })).toEqual({
    status: 400,
    answer: { message: 'requestVirtualPayment:fail GOODS_PRICE_INVALID', errCode: -15013 },
  })
})

test('keeps keys of virtual payment, also in a folder of an earlier version that had none', async () => {
  const keysOf = ({
    WECHAT_APP_ID,
    WECHAT_VIRTUAL_OFFER_ID,
    WECHAT_PUSH_AES_KEY,
  }: Record<string, string>) => [WECHAT_APP_ID, WECHAT_VIRTUAL_OFFER_ID, WECHAT_PUSH_AES_KEY]
  const restart = async () => {
    running.sandbox.stop()
    running = await start()
    return keysOf(running.settings)
  }
  const first = keysOf(running.settings)
  expect(await restart()).toEqual(first)
  const file = join(folder, 'keys.json')
  const { virtual: _, ...earlier } = z.looseObject({}).parse(JSON.parse(readFileSync(file, 'utf8')))
  writeFileSync(file, JSON.stringify(earlier))
  const second = await restart()
  expect([second[0] === first[0], second[1] === first[1], await restart()]).toEqual([true, false, second])
})

test('pushes beside the address of notifications unless told otherwise', () => {
  const pushUrl = (env: NodeJS.ProcessEnv) => readConfig(env, entry).pushUrl
  expect(pushUrl({ PORT: '4000' })).toBe('http://127.0.0.1:4000/api/v1/wechat/push')
  expect(pushUrl({ NOTIFY_URL: 'http://net:1/api/v1/payment/notify' })).toBe(
    'http://net:1/api/v1/wechat/push',
  )
  expect(pushUrl({ PUSH_URL: 'http://other/push' })).toBe('http://other/push')
})
