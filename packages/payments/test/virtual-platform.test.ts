import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { VirtualBill } from '../src/index.ts'
import { fileStore, VirtualPhoneError } from '../src/testing/index.ts'
import { failureOf } from './world/failure-of.ts'
import { failed } from './world/mini-program.ts'
import { openVirtualWorld, type VirtualWorld } from './world/virtual-world.ts'

describe('virtual payment on the simulated platform', () => {
  let world: VirtualWorld
  beforeAll(async () => {
    world = await openVirtualWorld({ refundsSettleAfterMs: null })
  })
  afterAll(() => world.close())

  const android = () => ({ openid: world.openid, system: 'android' }) as const
  const query = (number: string) => world.virtual.queryOrder(number, world.openid)
  const messageOf = (number: string) =>
    world.pushed
      .map(({ payload }) => payload)
      .filter(({ OutTradeNo, MchOrderId }) => [OutTradeNo, MchOrderId].includes(number))
  const refusalOf = async (
    params: Promise<Parameters<VirtualWorld['platform']['openSheet']>[0]>,
    changes: object = {},
  ) => {
    const opened = (async () => world.platform.openSheet(await params, { ...android(), ...changes }))()
    return (await failureOf(VirtualPhoneError, opened)).errCode
  }

  it('is paid on the sheet, pushed, answered and so delivered', async () => {
    const params = await world.sign()
    const { number } = world.platform.openSheet(params, android())
    expect(await query(number)).toMatchObject({ state: 'unpaid', paidAt: null })
    await world.platform.paySheet(number)
    expect(messageOf(number)).toMatchObject([
      {
        Event: 'xpay_goods_deliver_notify',
        OpenId: world.openid,
        Env: 0,
        WeChatPayInfo: { TransactionId: (await query(number)).transactionId },
        GoodsInfo: { ProductId: 'yearly', Quantity: 1, ActualPrice: 26_800, Attach: number },
      },
    ])
    expect(await query(number)).toMatchObject({ state: 'delivered', amountFen: 26_800, leftFen: 26_800 })
  })

  it('settles what was paid after its time, and says what it kept', async () => {
    const number = await world.buy()
    expect((await query(number)).settlement).toEqual({ state: 'open', at: null, feeFen: null })
    world.platform.settleVirtualAfter(0)
    const { settlement, paidAt } = await query(number)
    expect(settlement).toEqual({ state: 'done', at: paidAt, feeFen: 268 })
    world.platform.settleVirtualAfter(null)
  })

  it('knows no number that nobody opened a sheet for, and none of another environment or user', async () => {
    expect(await failed(query('M01NOBODY'))).toMatchObject({ reason: 'unknown_order' })
    const number = await world.buy()
    expect(await failed(world.virtual.queryOrder(number, 'oOther'))).toMatchObject({ errcode: 268490001 })
  })

  it('takes a number once, be the sheet paid or put away', async () => {
    const params = await world.sign()
    world.platform.openSheet(params, android())
    expect(await refusalOf(Promise.resolve(params))).toBe(-15002)
    expect(await refusalOf(Promise.resolve(params), { system: 'ios' })).toBe(-15002)
  })

  it('refuses what was changed after it was signed, and signatures that changed places', async () => {
    const params = await world.sign()
    const spaced = { ...params, signData: params.signData.replace(',', ', ') }
    expect(await refusalOf(Promise.resolve(spaced))).toBe(-15007)
    const swapped = { ...params, paySig: params.signature, signature: params.paySig }
    expect(await refusalOf(Promise.resolve(swapped))).toBe(-15007)
    expect(await refusalOf(Promise.resolve({ ...params, paySig: params.paySig.toUpperCase() }))).toBe(-15006)
  })

  it('refuses a session that a newer login has replaced', async () => {
    const older = await world.sign()
    await world.sign()
    expect(await refusalOf(Promise.resolve(older))).toBe(-15007)
  })

  it('refuses another price, an item that is not published, and less than a yuan on an iPhone', async () => {
    expect(await refusalOf(world.sign({ amountFen: 2_680 }))).toBe(-15013)
    expect(await refusalOf(world.sign({ productId: 'monthly' }))).toBe(-15010)
    world.platform.plantItem({ id: 'cheap', priceFen: 99 })
    expect(await refusalOf(world.sign({ productId: 'cheap', amountFen: 99 }), { system: 'ios' })).toBe(-15001)
  })

  it('sells an item ten minutes after it was published', async () => {
    const item = {
      id: 'fresh',
      name: '新',
      priceFen: 100,
      remark: 'fresh',
      pictureUrl: 'https://example.com/p.png',
    }
    await world.virtual.uploadItem(item)
    expect(await refusalOf(world.sign({ productId: 'fresh', amountFen: 100 }))).toBe(-15010)
    await world.virtual.publishItem('fresh')
    expect((await world.virtual.publishedItems()).items).toContainEqual({
      id: 'fresh',
      state: 'done',
      priceFen: null,
    })
    expect((await world.virtual.uploadedItems()).items).toContainEqual({
      id: 'fresh',
      state: 'done',
      priceFen: 100,
    })
    expect(await refusalOf(world.sign({ productId: 'fresh', amountFen: 100 }))).toBe(-15014)
    await world.platform.moveClock(600_000)
    const params = await world.sign({ productId: 'fresh', amountFen: 100 })
    expect(world.platform.openSheet(params, android()).status).toBe(1)
  })

  it('pays through Apple without a number of WeChat Pay, and such an order is not ours to refund', async () => {
    const number = await world.buy({ system: 'ios' })
    expect(await query(number)).toMatchObject({ byApple: true, transactionId: null, state: 'delivered' })
    expect(messageOf(number)[0]).not.toHaveProperty('WeChatPayInfo')
    expect(await failed(world.virtual.requestRefund(refundOf(number)))).toMatchObject({
      reason: 'not_refundable',
    })
    await world.platform.refundByApple(number)
    expect(messageOf(number).at(-1)).toMatchObject({
      Event: 'xpay_refund_notify',
      MchRefundId: '',
      RefundFee: 26_800,
      RetCode: 0,
    })
    expect(await query(number)).toMatchObject({ state: 'refunded', leftFen: 0 })
  })

  const refundOf = (attemptNo: string, changes: object = {}) => ({
    outRefundNo: `R${attemptNo}`,
    attemptNo,
    payerOpenid: world.openid,
    amountFen: 10_000,
    leftFen: 26_800,
    reason: 'users_wish' as const,
    requestedBy: 'staff' as const,
    ...changes,
  })

  it('refunds a part by its own number: begun, running, done, and the order falls back to delivered', async () => {
    const number = await world.buy()
    expect(await failed(world.virtual.requestRefund(refundOf(number, { leftFen: 10_000 })))).toMatchObject({
      reason: 'left_changed',
    })
    await world.virtual.requestRefund(refundOf(number))
    expect(await failed(world.virtual.requestRefund(refundOf(number)))).toMatchObject({ reason: 'not_yet' })
    expect(await query(`R${number}`)).toMatchObject({ state: 'refunding', refundFen: 10_000 })
    expect(await query(number)).toMatchObject({ state: 'refunding', leftFen: 16_800 })
    await world.platform.endVirtualRefund(`R${number}`)
    expect(messageOf(number).at(-1)).toMatchObject({
      MchRefundId: `R${number}`,
      RefundFee: 10_000,
      RetCode: 0,
    })
    expect(await query(`R${number}`)).toMatchObject({ state: 'refunded' })
    expect(await query(number)).toMatchObject({ state: 'delivered', leftFen: 16_800 })
  })

  it('gives a failed refund back to what is left', async () => {
    const number = await world.buy()
    await world.virtual.requestRefund(refundOf(number))
    await world.platform.endVirtualRefund(`R${number}`, 'FAILED')
    expect(messageOf(number).at(-1)).toMatchObject({ RetCode: 1 })
    expect(await query(number)).toMatchObject({ state: 'delivered', leftFen: 26_800 })
  })

  it('repeats a push until it is answered with success, and an empty answer is one', async () => {
    for (const answer of [
      [200, ''],
      [200, '{"ErrCode":0,"ErrMsg":"success"}'],
      [200, 'success'],
    ] as const) {
      world.answers.push([503, '{"ErrCode":1,"ErrMsg":"later"}'], [200, '{"ErrCode":1}'], answer)
      const number = await world.buy()
      await expect.poll(async () => (await query(number)).state).toBe('delivered')
      expect(messageOf(number)).toHaveLength(3)
    }
  })

  it('stays paid where no push is answered, until it is told of the delivery', async () => {
    world.platform.faults.add({ kind: 'drop', at: 'push', times: 16 })
    const number = await world.buy()
    expect(await query(number)).toMatchObject({ state: 'paid' })
    world.platform.faults.clear()
    await world.virtual.provideGoods(number)
    expect(await query(number)).toMatchObject({ state: 'delivered' })
  })

  it('writes XML too, where that is its format', async () => {
    world.platform.usePush({ url: world.url, format: 'xml' })
    const number = await world.buy()
    world.platform.usePush({ url: world.url })
    expect(messageOf(number)).toMatchObject([
      { Env: '0', GoodsInfo: { ActualPrice: '26800', Attach: number } },
    ])
  })

  it.each([
    ['corrupt_byte', 'bad_signature'],
    ['wrong_key', 'bad_signature'],
    ['wrong_app_id', 'undecryptable'],
  ] as const)('pushes with %s, and the merchant refuses it as %s', async (kind, reason) => {
    const before = world.refused.length
    await world.buy({ fault: kind })
    expect(world.refused[before]).toMatchObject({ reason })
  })

  it.each([
    ['wrong_amount', { GoodsInfo: { ActualPrice: 26_801 } }],
    ['wrong_product', { GoodsInfo: { ProductId: 'another' } }],
    ['wrong_env', { Env: 1 }],
    ['wrong_payer', { OpenId: 'oSomebodyElse00000000000000' }],
    ['is_probe', { IsMock: true }],
  ] as const)('pushes with %s, as the true platform never should', async (kind, content) => {
    const number = await world.buy({ fault: kind })
    expect(messageOf(number)[0]).toMatchObject(content)
  })

  it('pushes a paid number again, and any other event of the mini-program, each once', async () => {
    const number = await world.buy()
    await world.platform.pushAgain(number)
    expect(messageOf(number)).toHaveLength(2)
    const before = world.pushed.length
    await world.platform.pushEvent({ Event: 'subscribe_msg_popup_event', Content: 'nothing of ours' })
    expect(world.pushed.slice(before).map(({ payload }) => payload)).toMatchObject([
      { MsgType: 'event', Event: 'subscribe_msg_popup_event', Content: 'nothing of ours' },
    ])
  })

  it('lists the day in one bill and the month of Apple in another, under links that can be read', async () => {
    const [usual, apple] = [await world.buy(), await world.buy({ system: 'ios' })]
    const china = new Date(world.platform.now().getTime() + 8 * 3_600_000).toISOString()
    const textsOf = async (bill: Promise<VirtualBill>) => {
      const answer = await bill
      const urls = answer.state === 'ready' ? answer.urls : []
      return (await Promise.all(urls.map(async (url) => (await fetch(url)).text()))).join('')
    }
    const daily = await textsOf(world.virtual.dailyBill(china.slice(0, 10)))
    const monthly = await textsOf(world.virtual.appleBill(china.slice(0, 7)))
    expect([daily.includes(`${usual},`), daily.includes(`${apple},`)]).toEqual([true, false])
    expect([monthly.includes(`${usual},`), monthly.includes(`${apple},`)]).toEqual([false, true])
    expect(await world.virtual.appleBill('2020-01')).toEqual({ state: 'later' })
  })

  it('checks the token first, then the signature over the bytes that came', async () => {
    const { appId: appid, appSecret: secret } = world.platform.settings()
    const post = async (path: string, body: string) => {
      const answer = await fetch(`${world.platform.url}${path}`, { method: 'POST', body })
      return z
        .object({ errcode: z.number().optional(), access_token: z.string().optional() })
        .parse(await answer.json())
    }
    const asking = JSON.stringify({ grant_type: 'client_credential', appid, secret })
    const { access_token: token = '' } = await post('/cgi-bin/stable_token', asking)
    const call = async (access_token: string, pay_sig: string) => {
      const query = new URLSearchParams({ access_token, pay_sig })
      return (await post(`/xpay/query_order?${query}`, '{"env":0}')).errcode
    }
    expect([await call('wrong', ''), await call(token, 'wrong')]).toEqual([40001, 268490003])
  })
})

it('a platform with a folder knows its numbers, refunds and items after a restart, and goes on pushing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'virtual-platform-'))
  const lives = (): { store: ReturnType<typeof fileStore>; world: Promise<VirtualWorld> } => {
    const store = fileStore(folder)
    return { store, world: openVirtualWorld({ store, refundsSettleAfterMs: null }) }
  }
  const first = lives()
  const before = await first.world
  const number = await before.buy()
  const refunded = { outRefundNo: `R${number}`, attemptNo: number, payerOpenid: before.openid }
  await before.virtual.requestRefund({
    ...refunded,
    amountFen: 26_800,
    leftFen: 26_800,
    reason: 'other',
    requestedBy: 'user',
  })
  before.platform.faults.add({ kind: 'drop', at: 'push', times: 1 })
  const unheard = await before.buy()
  await before.close()
  first.store.close()
  const second = lives()
  const after = await second.world
  expect(await after.virtual.queryOrder(`R${number}`, after.openid)).toMatchObject({ state: 'refunding' })
  expect(after.platform.virtual.items.get('yearly')).toMatchObject({ priceFen: 26_800 })
  await expect
    .poll(async () => (await after.virtual.queryOrder(unheard, after.openid)).state)
    .toBe('delivered')
  await after.close()
  second.store.close()
  rmSync(folder, { recursive: true })
})
