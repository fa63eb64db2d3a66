import { Entitlement, GrantAnswer, IntegrationOrderAnswer, IntegrationOrderPage } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { verifyLedger } from '../../src/subscriptions/verify-ledger.ts'
import { newSystem, type System } from '../world/api-key.ts'
import { idOf, signedInConsole } from '../world/console.ts'
import { codeOf } from '../world/phone.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { setSetting } from '../world/set-setting.ts'
import { somebody } from '../world/somebody.ts'
import { stopClock } from '../world/stop-clock.ts'
import { openFile } from '../world/take-file.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'
import { bindWithProof, plantWearable } from '../world/wearable.ts'

const world = useTestWorld()
const owner = useConsole(world, 'owner')
let system: System
let sibling: System

beforeAll(async () => {
  system = await newSystem(world, owner, { scopes: ['entitlements:read', 'orders:read', 'grants:write'] })
  sibling = await newSystem(world, owner, { scopes: ['grants:write'] })
})

const entitlementOf = async (asked: string) =>
  Entitlement.parse((await system.get(`/entitlements?${asked}`)).body)
const codeFor = async (path: string) => codeOf(await system.get(path))

describe('what a user may use', () => {
  test('is asked by id, openid or the serial number of a bound device in any case, and answered alike', async () => {
    const { phone, userId } = await somebody(world)
    const wearable = await plantWearable(world)
    await bindWithProof(phone, wearable)
    await phone.buysAndPays('monthly')
    const subscription = await phone.subscription()
    const answers = await Promise.all(
      [
        `user_id=${userId}`,
        `openid=${phone.openid}`,
        `serial_number=${wearable.serialNumber}`,
        `serial_number=${wearable.serialNumber.toLowerCase()}`,
      ].map(entitlementOf),
    )
    for (const { server_time, ...answer } of answers) {
      expect(answer).toEqual({
        user_id: userId,
        is_active: true,
        status: 'active',
        remaining_days: subscription.remaining_days,
        expires_at: subscription.expires_at,
        features: subscription.features,
        reason: 'active_until',
      })
      expect(Date.parse(server_time)).toBeGreaterThan(0)
    }
    await phone.call('/devices/unbind', { method: 'POST', body: { serial_number: wearable.serialNumber } })
    expect(await codeFor(`/entitlements?serial_number=${wearable.serialNumber}`)).toBe('user_not_found')
  })

  test('is nothing yet, then active, ended, taken back or disabled, and the reason says which', async () => {
    await setSetting(world, 'free_features', ['report_detail'])
    const { phone, userId } = await somebody(world)
    const asked = `user_id=${userId}`
    expect(await entitlementOf(asked)).toMatchObject({
      is_active: false,
      status: 'inactive',
      remaining_days: 0,
      expires_at: null,
      features: ['report_detail'],
      reason: 'never_had_days',
    })
    const outTradeNo = await phone.buysAndPays('monthly')
    const operatorId = await idOf(world, 'owner@example.com')
    await refundToItsEnd(world, { outTradeNo, amountFen: 2900, operatorId })
    expect((await entitlementOf(asked)).reason).toBe('taken_back')
    expect(await entitlementOf(asked)).toMatchObject({ is_active: false, remaining_days: 0 })
    await phone.buysAndPays('monthly')
    expect((await entitlementOf(asked)).reason).toBe('active_until')
    await owner.user.disable.mutate({ id: userId, reason: 'chargeback' })
    expect(await entitlementOf(asked)).toMatchObject({
      is_active: false,
      status: 'inactive',
      remaining_days: 30,
      features: [],
      reason: 'disabled',
    })
    await owner.user.enable.mutate({ id: userId, reason: 'settled' })
    await world.passTime({ days: 31 })
    expect(await entitlementOf(asked)).toMatchObject({ is_active: false, remaining_days: 0, reason: 'ended' })
  })

  test('is refused where nobody or more than one is named, and of somebody who is not there', async () => {
    for (const asked of ['', 'user_id=x', 'openid=a&serial_number=B', 'user_id=&openid=a'])
      expect(await codeFor(`/entitlements?${asked}`)).toBe('invalid_request')
    expect(await codeFor('/entitlements?openid=nobody')).toBe('user_not_found')
    expect(await codeFor('/entitlements?serial_number=SN-UNKNOWN')).toBe('user_not_found')
  })
})

describe('orders of everybody', () => {
  const listed = async (query: string) =>
    IntegrationOrderPage.parse((await system.get(`/orders?${query}`)).body)

  test('are listed newest first, page by page, and narrowed by time, status and channel', async () => {
    const { phone, userId } = await somebody(world)
    const [paid, unpaid] = [await phone.buysAndPays('monthly'), (await phone.buys('yearly')).order]
    const [newest] = (await listed('limit=1')).items
    expect(newest?.out_trade_no).toBe(unpaid.out_trade_no)
    const from = encodeURIComponent(new Date(Date.parse(unpaid.created_at) - 60_000).toISOString())
    const page = await listed(`from=${from}&status=paid&channel=jsapi`)
    expect(page.items.map(({ out_trade_no }) => out_trade_no)).toContain(paid)
    expect(page.items.every(({ status }) => status === 'paid')).toBe(true)
    expect((await listed(`from=${from}&channel=virtual`)).items).toEqual([])
    expect((await listed(`to=${encodeURIComponent('2020-01-01T00:00:00Z')}`)).items).toEqual([])
    const seen: string[] = []
    let cursor: string | null = ''
    do {
      const next: Awaited<ReturnType<typeof listed>> = await listed(`limit=1${cursor && `&cursor=${cursor}`}`)
      seen.push(...next.items.map(({ out_trade_no }) => out_trade_no))
      cursor = next.next_cursor
    } while (cursor)
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.slice(0, 2)).toEqual([unpaid.out_trade_no, paid])
    const { order } = IntegrationOrderAnswer.parse((await system.get(`/orders/${paid}`)).body)
    expect(order).toMatchObject({ user_id: userId, status: 'paid', transaction_id: expect.any(String) })
    expect(JSON.stringify(order)).not.toContain(phone.openid)
  })

  test('are refused with a wrong filter or cursor, and one that is not there is not found', async () => {
    for (const query of ['status=lost', 'from=yesterday', 'limit=0', 'cursor=x'])
      expect(await codeFor(`/orders?${query}`)).toBe('invalid_request')
    expect(await codeFor('/orders/M0')).toBe('order_not_found')
  })
})

test('a key has 600 calls a minute where nothing else is set', async () => {
  const { headers } = await system.get('/orders/M0')
  expect(headers.get('ratelimit-limit')).toBe('600')
})

describe('days that a system gives', () => {
  const order = (change: object) => ({ days: 7, reason: 'kept waiting', idempotency_key: 'k1', ...change })
  const give = (change: object, by = system) => by.post('/grants', order(change))

  test('are given once for each name of a call, and a repeat says what it gave', async () => {
    const { userId, phone } = await somebody(world)
    const first = await give({ user_id: userId })
    expect(first.status).toBe(201)
    const { grant } = GrantAnswer.parse(first.body)
    expect(grant).toMatchObject({ user_id: userId, seq: 1, days: 7, reason: 'kept waiting' })
    const again = await give({ user_id: userId })
    expect([again.status, again.body]).toEqual([200, first.body])
    const byOpenid = await give({ openid: phone.openid })
    expect([byOpenid.status, byOpenid.body]).toEqual([200, first.body])
    expect((await phone.subscription()).remaining_days).toBe(7)
    for (const change of [{ days: 8 }, { reason: 'other' }, { user_id: (await somebody(world)).userId }])
      expect(codeOf(await give({ user_id: userId, ...change }))).toBe('idempotency_key_reused')
    expect((await phone.subscription()).remaining_days).toBe(7)
  })

  test('are at most 31 for one user by one key in a calendar month of China', async () => {
    const { userId } = await somebody(world)
    const [{ begins } = { begins: new Date() }] = await world.query<{ begins: Date }>(
      `SELECT (date_trunc('month', business_now() AT TIME ZONE 'Asia/Shanghai') + interval '1 month')
         AT TIME ZONE 'Asia/Shanghai' AS begins`,
    )
    await stopClock(world, new Date(begins.getTime() - 1).toISOString())
    const giving = async (idempotency_key: string, days: number, by = system) => {
      const answer = await give({ user_id: userId, idempotency_key, days }, by)
      return answer.status === 201 ? 201 : codeOf(answer)
    }
    expect(await giving('a', 30)).toBe(201)
    expect(await giving('b', 2)).toBe('grant_limit_reached')
    expect(await giving('c', 1)).toBe(201)
    expect(await giving('d', 1)).toBe('grant_limit_reached')
    expect(await giving('a', 31, sibling)).toBe(201)
    await stopClock(world, begins.toISOString())
    expect(await giving('b', 31)).toBe(201)
    await world.passTime({ seconds: 1 })
  })

  test('stay within the limit and are given once, however many calls come at once', async () => {
    const { userId, phone } = await somebody(world)
    const before = (await phone.subscription()).remaining_days
    const same = await Promise.all(
      Array.from({ length: 8 }, () => give({ user_id: userId, idempotency_key: 'same', days: 3 })),
    )
    expect(same.map(({ status }) => status).sort()).toEqual([...Array(7).fill(200), 201])
    const many = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        give({ user_id: userId, idempotency_key: `many-${index}`, days: 4 }),
      ),
    )
    expect(many.filter(({ status }) => status === 201)).toHaveLength(7)
    expect(many.filter(({ status }) => status !== 201).map(codeOf)).toEqual(
      Array(5).fill('grant_limit_reached'),
    )
    expect((await phone.subscription()).remaining_days - before).toBe(31)
  })

  test('count in the ledger like any others, and its own check agrees', async () => {
    const { userId } = await somebody(world)
    await give({ user_id: userId, idempotency_key: 'ledger' })
    const entries = await world.query(
      `SELECT g.kind::text, g.days, g.reason, i.api_key_id AS key FROM grants g
       JOIN integration_grants i USING (user_id, seq) WHERE g.user_id = $1`,
      [userId],
    )
    expect(entries).toEqual([{ kind: 'integration_grant', days: 7, reason: 'kept waiting', key: system.id }])
    expect((await verifyLedger(world.services.database.pool)).differences).toEqual([])
  })

  test('are told with the name of the key: in the ledger, in its file, in why there is access, and in the feed', async () => {
    const { userId } = await somebody(world)
    await give({ user_id: userId, idempotency_key: 'named' }, sibling)
    const { token, console } = await signedInConsole(world, { email: 'files@example.com', role: 'owner' })
    const { ledger, why } = await console.subscription.detail.query({ userId })
    expect(ledger).toMatchObject([
      { kind: 'integration_grant', apiKeyName: 'grants:write', operatorEmail: null },
    ])
    expect(why).toContainEqual({
      code: 'days_from_system',
      system: 'grants:write',
      reason: 'kept waiting',
      days: 7,
    })
    const { items } = await console.customer.feed.query({ id: userId, kinds: ['access'] })
    expect(items).toMatchObject([{ item: { grant: 'integration_grant', by: 'grants:write' } }])
    const { rows } = await openFile(world, { name: 'ledger', format: 'csv', token, query: { userId } })
    expect(rows).toMatchObject([{ System: 'grants:write', Operator: null }])
  })

  test('are refused for nobody, for whom nobody knows, and without a reason or a name', async () => {
    const { userId } = await somebody(world)
    for (const change of [
      {},
      { user_id: userId, openid: 'x' },
      { user_id: userId, days: 0 },
      { user_id: userId, days: 32 },
      { user_id: userId, reason: ' ' },
      { user_id: userId, idempotency_key: '' },
    ])
      expect(codeOf(await give(change))).toBe('invalid_request')
    expect(codeOf(await give({ openid: 'nobody', idempotency_key: 'nobody' }))).toBe('user_not_found')
  })
})
