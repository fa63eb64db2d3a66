import { exportPermissions, isExport } from '@meridian/contracts'
import { systemRuntime } from '@meridian/payments'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { appRouter } from '../../src/doors/trpc/router.ts'
import { consoleToken, hire, signInAnew } from '../world/console.ts'
import { doDueJobs, doJob } from '../world/do-jobs.ts'
import type { Phone } from '../world/phone.ts'
import { askRefund } from '../world/send-refund.ts'
import { neededBy, takeFile } from '../world/take-file.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { payInSecret, payTwice, tellRefund } from '../world/virtual-order.ts'
import { openVirtualShop } from '../world/virtual-shop.ts'

const Secret = z.object({ session_key: z.string().optional(), access_token: z.string().optional() })
/** Session keys and access tokens that the platform gave in this test. */
const given = new Set<string>()
const listening: typeof fetch = async (input, init) => {
  const answer = await systemRuntime.fetch(input, init)
  if (!/jscode2session|stable_token/.test(String(input))) return answer
  const { session_key, access_token } = Secret.parse(await answer.clone().json())
  for (const secret of [session_key, access_token]) if (secret) given.add(secret)
  return answer
}

const logged: string[] = []
const world = useTestWorld({
  platform: { refundsSettleAfterMs: null },
  runtime: { fetch: listening },
  log: (line) => logged.push(line),
})
/** Every answer that a phone got. */
const answered: string[] = []
const sessions: string[] = []
let outTradeNo: string
let outRefundNo: string

/** What nobody may find anywhere, as text and as the bytes of it. */
function secrets(): [name: string, secret: string][] {
  const { appKeys, pushToken, pushAesKey } = world.platform.virtual.keys
  const { appSecret } = world.platform.settings()
  const aesBytes = Buffer.from(`${pushAesKey}=`, 'base64')
  const named: [string, string][] = [
    ...Object.values(appKeys).map((key): [string, string] => ['AppKey', key]),
    ['push token', pushToken],
    ['AES key', pushAesKey],
    ['AES key, as bytes', aesBytes.toString('hex')],
    ['app secret', appSecret],
    ...[...given].map((secret): [string, string] => ['session key or access token', secret]),
  ]
  return named.flatMap(([name, secret]): [string, string][] => [
    [name, secret],
    [`${name}, in hexadecimal`, Buffer.from(secret).toString('hex')],
    [`${name}, in base64`, Buffer.from(secret).toString('base64').replace(/=+$/, '')],
  ])
}

/** The names of the secrets that are in these texts; what JSON or an address escapes is read as it was. */
function foundIn(texts: readonly string[]): string[] {
  const text = texts.join('\n')
  const plain = text
    .replaceAll('\\/', '/')
    .replaceAll('%2F', '/')
    .replaceAll('%2B', '+')
    .replaceAll('%3D', '=')
  return secrets().flatMap(([name, secret]) =>
    text.includes(secret) || plain.includes(secret) ? [name] : [],
  )
}

async function buyAndAsk(phone: Phone, system: 'android' | 'ios') {
  const purchase = await phone.buysVirtually({ system })
  const number = purchase.order.out_trade_no
  answered.push(JSON.stringify(purchase))
  await phone.paysVirtually(purchase, { system })
  for (const path of ['/subscription', '/subscription/orders', `/subscription/orders/${number}`, '/me'])
    answered.push(JSON.stringify((await phone.call(path)).body))
  answered.push(JSON.stringify(await phone.syncs(number)))
  return number
}

/** What goes wrong with the platform, which is when a log says most. */
async function meetFaults(phone: Phone) {
  const code = { loginCode: world.platform.loginCode('oSomebodyElse') }
  answered.push(JSON.stringify((await phone.virtualAnswer(code)).body))
  const purchase = await phone.buysVirtually({ key: 'faulty' })
  world.platform.openSheet(purchase.payment_params, { openid: phone.openid, system: 'android' })
  const path = `/subscription/orders/${purchase.order.out_trade_no}/sync`
  for (const kind of ['error_before', 'html', 'drop', 'rate_limited', 'token_expired'] as const) {
    world.platform.faults.set([{ at: 'xpay', kind }])
    answered.push(JSON.stringify((await phone.call(path, { method: 'POST' })).body))
  }
  world.platform.faults.set([{ at: 'mini_program', kind: 'error_before', times: 2 }])
  answered.push(JSON.stringify((await phone.virtualAnswer({ key: 'unexchanged' })).body))
  world.platform.faults.clear()
  for (const kind of ['corrupt_byte', 'wrong_key', 'wrong_app_id', 'wrong_amount'] as const) {
    world.platform.faults.add({ at: 'push', kind, times: 1 })
    await world.platform.pushAgain(outTradeNo)
  }
  await world.platform.pushEvent({ Event: 'xpay_goods_deliver_notify', OutTradeNo: 'M1' })
}

beforeAll(async () => {
  await openVirtualShop(world)
  await hire(world, { email: 'owner@example.com' })
  const phone = await world.phone()
  outTradeNo = await buyAndAsk(phone, 'android')
  const byApple = await buyAndAsk(await world.phone(), 'ios')
  await world.platform.askOpinion(byApple)
  await world.platform.refundByApple(byApple)
  const [owner] = await world.query<{ id: string }>('SELECT id FROM operators LIMIT 1')
  const asked = { outTradeNo, amountFen: 900, operatorId: owner?.id ?? '' }
  outRefundNo = (await askRefund(world, asked)).outRefundNo
  await doJob(world, 'track_refund', { outRefundNo, attempt: 0 })
  await world.platform.endVirtualRefund(outRefundNo)
  await payInSecret(await world.phone())
  await (await payTwice(world, await world.phone())).paySecond()
  await tellRefund(world, { MchOrderId: 'M0NOBODYKNOWS0000000000000', WxRefundId: 'wxr0' })
  for (const kind of ['complaint', 'risk', 'coins', 'foreign'] as const)
    await world.platform.pushEventOf(kind, kind === 'complaint' ? outTradeNo : undefined)
  await meetFaults(await world.phone())
  await world.passTime({ minutes: 10 })
  await doDueJobs(world)
  const date = new Date(world.services.runtime.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
  await world.passTime({ days: 1 })
  await doJob(world, 'reconcile_virtual_day', { date })
  await doDueJobs(world)
  for (let n = 0; n < 2; n += 1) sessions.push((await signInAnew(world, 'owner@example.com')).token)
})

/** Every read of the console, as the router itself knows them. */
const reads = Object.entries(appRouter._def.procedures).flatMap(([path, procedure]) => {
  const value: unknown = procedure
  return typeof value === 'function' && '_def' in value && Object(value._def).type === 'query' ? [path] : []
})

/** What is read of the console is more than one session may ask for in a minute: several take turns. */
async function readConsole(path: string, turn: number): Promise<string[]> {
  const inputs = [undefined, {}, { outTradeNo }, { outRefundNo }, { code: 'monthly' }, { text: outTradeNo }]
  const headers = {
    'x-console-token': await consoleToken(world),
    authorization: `Bearer ${sessions[turn % sessions.length]}`,
  }
  const answers: string[] = []
  for (const json of inputs) {
    const input = json === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ json }))}`
    const answer = await fetch(`${world.url}/trpc/${path}${input}`, { headers })
    answers.push(`${answer.status} ${await answer.text()}`)
  }
  return answers
}

/** One after the other: as many at once as there are lists are more than the API writes. */
async function takeAll(): Promise<string[]> {
  const [payer] = await world.query<{ id: string }>(
    'SELECT user_id AS id FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  // A session of its own: those of the console are used up.
  const { token } = await signInAnew(world, 'owner@example.com')
  const files: string[] = []
  for (const name of Object.keys(exportPermissions).filter(isExport)) {
    const query = neededBy(name, payer?.id ?? '')
    const { answer, file } = await takeFile(world, { name, format: 'csv', token, query })
    files.push(`${answer.status} ${file}`)
  }
  return files
}

const Table = z.object({ schema: z.string(), name: z.string() })

describe('after journeys of virtual payment', () => {
  test('no secret is in any line of the log', () => {
    expect(given.size).toBeGreaterThan(5)
    expect(logged.length).toBeGreaterThan(50)
    expect(foundIn(logged)).toEqual([])
  })

  test('no secret is in any row of any table', async () => {
    const tables = z.array(Table).parse(
      await world.query(
        `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
         WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
      ),
    )
    expect(tables.length).toBeGreaterThan(40)
    const kept: string[] = []
    for (const { schema, name } of tables) {
      const rows = await world.query<{ row: string }>(`SELECT t::text AS row FROM "${schema}"."${name}" t`)
      if (foundIn(rows.map(({ row }) => row)).length > 0) kept.push(`${schema}.${name}`)
    }
    expect(kept).toEqual([])
  })

  test('no secret is in any answer to a phone or to a push', () => {
    const pushes = world.platform.deliveries.map(({ answer }) => answer)
    expect([answered.length > 15, pushes.length > 15]).toEqual([true, true])
    expect(foundIn([...answered, ...pushes])).toEqual([])
  })

  test('no secret is in any answer of the console, or in what it exports', async () => {
    const answers = (await Promise.all(reads.map(readConsole))).flat()
    const files = await takeAll()
    const read = answers.filter((answer) => answer.startsWith('200 '))
    expect(answers.filter((answer) => answer.startsWith('429 '))).toEqual([])
    expect(read.filter((answer) => answer.includes(outTradeNo)).length).toBeGreaterThan(5)
    expect(files.filter((file) => file.startsWith('200 '))).toHaveLength(files.length)
    expect(files.join('\n')).toContain(outTradeNo)
    expect(foundIn([...answers, ...files])).toEqual([])
  })
})
