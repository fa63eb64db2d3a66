import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { showKeys } from '../../src/keys/key-cockpit.ts'
import { decideItem } from '../../src/plans/check-items.ts'
import { type Console, problemOf, signedInConsole } from '../world/console.ts'
import { codeOf } from '../world/phone.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { numberIn, openVirtualShop, setPolicy } from '../world/virtual-shop.ts'

type Role = 'viewer' | 'operator' | 'finance' | 'owner'

const world = useTestWorld()
const owner = () => consoleOf('owner')
const finance = () => consoleOf('finance')
const viewer = () => consoleOf('viewer')
const known = new Map<Role, Console>()
async function consoleOf(role: Role): Promise<Console> {
  const email = `${role}-${randomUUID().slice(0, 8)}@example.com`
  const signedIn = known.get(role) ?? (await signedInConsole(world, { email, role })).console
  known.set(role, signedIn)
  return signedIn
}

beforeAll(() => openVirtualShop(world))

const itemsOf = async () => (await (await finance()).plan.items.query()).items
const seen = async (code: string) => (await (await viewer()).plan.detail.query({ code })).plan

describe('the items of plans', () => {
  test('are published, and at the plan’s price where the platform tells it', async () => {
    expect(await itemsOf()).toContainEqual({
      code: 'monthly',
      productId: 'monthly',
      state: 'published',
      priceFen: 2900,
    })
  })

  test('show a price that has drifted, and an item that the platform does not list', async () => {
    world.platform.plantItem({ id: 'monthly', priceFen: 3900 })
    await (await finance()).plan.edit.mutate({ ...(await seen('yearly')), virtualProductId: 'elsewhere' })
    const items = await itemsOf()
    expect(items).toContainEqual(expect.objectContaining({ code: 'monthly', priceFen: 3900 }))
    expect(items).toContainEqual({
      code: 'yearly',
      productId: 'elsewhere',
      state: 'not_listed',
      priceFen: null,
    })
    world.platform.plantItem({ id: 'monthly', priceFen: 2900 })
    await (await finance()).plan.edit.mutate({ ...(await seen('yearly')), virtualProductId: 'yearly' })
  })

  test('belong to one plan each: another gets an error that names the field', async () => {
    const taken = (await finance()).plan.edit.mutate({
      ...(await seen('yearly')),
      virtualProductId: 'monthly',
    })
    await expect(taken).rejects.toMatchObject({
      data: { problem: { code: 'code_taken', errors: [{ path: 'virtualProductId' }] } },
    })
    expect((await seen('yearly')).virtualProductId).toBe('yearly')
  })

  test('stay as they are where an edit says no word about them, and are taken away by null', async () => {
    const { virtualProductId: _, ...rest } = await seen('yearly')
    await (await finance()).plan.edit.mutate({ ...rest, badge: null })
    expect((await seen('yearly')).virtualProductId).toBe('yearly')
    await (await finance()).plan.edit.mutate({ ...(await seen('yearly')), virtualProductId: null })
    expect(await itemsOf()).not.toContainEqual(expect.objectContaining({ code: 'yearly' }))
    await (await finance()).plan.edit.mutate({ ...(await seen('yearly')), virtualProductId: 'yearly' })
  })

  test('are asked about by who may edit plans alone', async () => {
    expect(await problemOf((await viewer()).plan.items.query())).toBe('forbidden')
  })

  test('say that the platform did not answer, and nothing of an item', async () => {
    world.platform.faults.set([{ kind: 'error_before', status: 500, at: 'xpay' }])
    expect(await problemOf((await finance()).plan.items.query())).toMatch(/^payment_platform_/)
    world.platform.faults.set([])
  })

  const task = (
    id: string,
    state: 'running' | 'exists' | 'done' | 'failed',
    priceFen: number | null = null,
  ) => ({ state: 'done', items: [{ id, state, priceFen }] }) as const
  const none = { state: 'none', items: [] } as const
  test.each([
    [task('a', 'done'), none, 'published'],
    [task('a', 'exists'), none, 'published'],
    [task('a', 'running'), task('a', 'done'), 'publishing'],
    [task('a', 'failed'), task('a', 'done'), 'failed'],
    [none, task('a', 'running'), 'publishing'],
    [none, task('a', 'done'), 'uploaded'],
    [none, task('a', 'exists'), 'uploaded'],
    [none, task('a', 'failed'), 'failed'],
    [task('b', 'done'), task('b', 'done'), 'not_listed'],
  ] as const)('stand as published first, else as uploaded: %#', (published, uploaded, state) => {
    expect(decideItem('a', { published, uploaded })).toEqual({ productId: 'a', state, priceFen: null })
  })
})

describe('the compliance of sale', () => {
  test('says which platform sells by which channel, and which plans it does not sell', async () => {
    await setPolicy(world, { ios: 'virtual', android: 'jsapi', other: 'none' })
    await (await finance()).plan.edit.mutate({ ...(await seen('quarterly')), virtualProductId: null })
    await world.query(`UPDATE plans SET price_fen = 99 WHERE code = 'monthly'`)
    expect(await (await viewer()).plan.compliance.query()).toEqual({
      platforms: [
        { platform: 'ios', channel: 'virtual' },
        { platform: 'android', channel: 'jsapi' },
        { platform: 'other', channel: 'none' },
      ],
      isVirtualConfigured: true,
      plansWithoutItem: [(await seen('quarterly')).name],
      plansBelowApple: [(await seen('monthly')).name],
    })
    await world.query(`UPDATE plans SET price_fen = 2900 WHERE code = 'monthly'`)
    await openVirtualShop(world)
    const { platforms, plansWithoutItem } = await (await viewer()).plan.compliance.query()
    expect(platforms.map(({ channel }) => channel)).toEqual(['virtual', 'virtual', 'virtual'])
    expect(plansWithoutItem).toEqual([])
  })
})

describe('an order of virtual payment', () => {
  test('is found by whole numbers of its attempts: ours, and the platform’s', async () => {
    const purchase = await (await world.phone()).buysVirtually()
    const { out_trade_no: outTradeNo } = purchase.order
    const number = `M${randomUUID().replaceAll('-', '').slice(0, 26).toUpperCase()}`
    const [wx, merchant] = [`wx${randomUUID()}`, `3000${randomUUID().replaceAll('-', '')}`]
    await world.query(
      `INSERT INTO order_attempts (number, order_id, wx_order_id, channel_order_id)
       SELECT $1, id, $2, $3 FROM orders WHERE out_trade_no = $4`,
      [number, wx, merchant, outTradeNo],
    )
    const find = async (text: string) => (await (await viewer()).search.find.query({ text })).hits
    for (const [text, matched] of [
      [number, 'attempt_number'],
      [wx, 'platform_number'],
      [merchant, 'platform_number'],
    ] as const) {
      expect(await find(text)).toEqual([
        expect.objectContaining({ kind: 'order', matched, outTradeNo, channel: 'virtual' }),
      ])
      const { items } = await (await viewer()).order.list.query({ search: text })
      expect(items).toEqual([expect.objectContaining({ outTradeNo, channel: 'virtual' })])
    }
    expect(await find(numberIn(purchase))).toEqual([expect.objectContaining({ matched: 'order_number' })])
    const { attempts, virtualProductId } = await (await viewer()).order.detail.query({ outTradeNo })
    expect(virtualProductId).toBe('monthly')
    expect(attempts.map((attempt) => attempt.number)).toContain(number)
  })

  test('is shown by the number of any of its attempts, under its own; its payer reads it by its own alone', async () => {
    const phone = await world.phone()
    const outTradeNo = await phone.buysAndPaysVirtually()
    const number = `M${randomUUID().replaceAll('-', '').slice(0, 26).toUpperCase()}`
    await world.query(
      'INSERT INTO order_attempts (number, order_id) SELECT $1, id FROM orders WHERE out_trade_no = $2',
      [number, outTradeNo],
    )
    const shown = async (asked: string) => (await viewer()).order.detail.query({ outTradeNo: asked })
    expect(await shown(number)).toEqual(await shown(outTradeNo))
    expect((await shown(number)).outTradeNo).toBe(outTradeNo)
    expect(await problemOf(shown(`M${'0'.repeat(26)}`))).toBe('order_not_found')
    expect(codeOf(await phone.call(`/subscription/orders/${number}`))).toBe('order_not_found')
  })

  test('stands beside those of the other channel, by its filter', async () => {
    const outTradeNo = await (await world.phone()).buysAndPaysVirtually()
    const list = async (channel: 'jsapi' | 'virtual') =>
      (await (await viewer()).order.list.query({ channel, search: outTradeNo })).items
    expect(await list('virtual')).toHaveLength(1)
    expect(await list('jsapi')).toHaveLength(0)
  })

  test('has its push in the inbox, whose long id can be searched for and read on from', async () => {
    const outTradeNo = await (await world.phone()).buysAndPaysVirtually()
    const id = `xpay_subscribe_ios_refund_query_notify:${outTradeNo}`
    await world.query(
      `INSERT INTO notifications (id, event_type, serial, headers, body, payload, outcome, out_trade_no)
       VALUES ($1, 'xpay_subscribe_ios_refund_query_notify', 'message-push', '{}', '', '{}', 'ignored', $2)`,
      [id, outTradeNo],
    )
    const list = (query: object) => viewer().then((console) => console.notification.list.query(query))
    expect((await list({ search: id })).items).toHaveLength(1)
    const first = await list({ limit: 1 })
    expect(first.items[0]?.id).toBe(id)
    expect((await list({ limit: 1, cursor: first.nextCursor ?? '' })).items).toHaveLength(1)
  })
})

describe('what Apple asked', () => {
  test('is listed with what was answered and why, newest first, and found by order or attempt', async () => {
    const outTradeNo = await (await world.phone()).buysAndPaysVirtually({ system: 'ios' })
    const elsewhere = `M${randomUUID().replaceAll('-', '').slice(0, 26).toUpperCase()}`
    await world.query(
      `INSERT INTO apple_inquiries (attempt_no, out_trade_no, requested_at, reason, let_pass, opinion, evidence, answered_at)
       VALUES ($1, $1, business_now(), 'LEGAL', true, 'allow', 'why', business_now()),
              ($2, NULL, business_now(), NULL, false, 'refuse', 'none', business_now() - interval '1 hour')`,
      [outTradeNo, elsewhere],
    )
    const list = async (query: object = {}) => (await viewer()).refund.inquiries.query(query)
    const { userId } = await (await viewer()).order.detail.query({ outTradeNo })
    const ours = {
      attemptNo: outTradeNo,
      outTradeNo,
      userId,
      letPass: true,
      opinion: 'allow',
      reason: 'LEGAL',
      asked: 1,
    }
    expect((await list()).items).toMatchObject([
      ours,
      { attemptNo: elsewhere, outTradeNo: null, userId: null, letPass: false },
    ])
    expect((await list({ search: outTradeNo.toLowerCase() })).items).toMatchObject([ours])
    expect((await list({ search: elsewhere })).items).toMatchObject([{ opinion: 'refuse' }])
    const first = await list({ limit: 1 })
    expect((await list({ limit: 1, cursor: first.nextCursor ?? '' })).items).toMatchObject([
      { attemptNo: elsewhere },
    ])
  })
})

describe('the key cockpit', () => {
  test('tells of virtual payment what is no secret, and when the platform last pushed', async () => {
    await (await world.phone()).buysAndPaysVirtually()
    const cockpit = await (await owner()).key.cockpit.query()
    expect(cockpit.virtual).toMatchObject({
      offerId: world.config.virtual?.offerId,
      env: 0,
      pushPath: '/api/v1/wechat/push',
      lastPushAt: expect.any(Date),
    })
    expect(cockpit.platformKeys.map(({ id }) => id)).not.toContain('message-push')
    const { appKey = '?', pushToken = '?', pushAesKey = '?' } = world.config.virtual ?? {}
    const text = JSON.stringify(cockpit)
    for (const secret of [appKey, pushToken, pushAesKey]) expect(text).not.toContain(secret)
  })

  test('works without JSAPI', async () => {
    const alone = { ...world.services, payments: null, config: { ...world.config, payments: null } }
    expect(await showKeys(alone, '/push')).toMatchObject({
      merchant: null,
      platformKeys: [],
      clockSkewMs: null,
      virtual: { pushPath: '/push' },
    })
    expect(await showKeys({ ...alone, virtual: null }, '/push')).toMatchObject({ virtual: null })
  })
})
