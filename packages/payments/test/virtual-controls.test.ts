import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiEnvironment, pushEventKinds } from '../src/testing/index.ts'
import { failed } from './world/mini-program.ts'
import { openVirtualWorld, type VirtualWorld } from './world/virtual-world.ts'

const Answer = z.record(z.string(), z.unknown())

describe('the switches of virtual payment', () => {
  let world: VirtualWorld
  beforeAll(async () => {
    world = await openVirtualWorld({ refundsSettleAfterMs: null, sheetsCloseAfterMs: 3_600_000 })
  })
  beforeEach(() => {
    world.pushed.length = 0
  })
  afterAll(() => world.close())

  const send = async (path: string, body?: unknown) => {
    const response = await fetch(`${world.platform.url}/sandbox/virtual/${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, answer: Answer.parse(Object.assign({}, await response.json())) }
  }
  const payer = () => ({ openid: world.openid, system: 'android' as const })
  const stateOf = async (number: string) => (await world.virtual.queryOrder(number, world.openid)).state

  it('open a sheet, pay it, or put it away so that nobody pays it any more', async () => {
    const opened = await send('open', { params: await world.sign(), ...payer() })
    const number = String(opened.answer['number'])
    expect(await stateOf(number)).toBe('unpaid')
    await send('pay', { number })
    expect(await stateOf(number)).toBe('delivered')
    const other = await send('open', { params: await world.sign(), ...payer() })
    await send('put-away', { number: other.answer['number'] })
    expect(await send('pay', { number: other.answer['number'] })).toMatchObject({
      status: 400,
      answer: { errCode: -15012 },
    })
    expect(await stateOf(String(other.answer['number']))).toBe('closed')
  })

  it('tell which keys of users are good now', async () => {
    await world.sign()
    const { answer } = await send('session-keys')
    expect(Object.values(answer)).toEqual([...world.platform.virtual.sessionKeys.values()])
    expect(Object.values(answer)).not.toEqual([])
  })

  it('close a number by themselves after the time that was set, and no paid one', async () => {
    const { number } = world.platform.openSheet(await world.sign(), payer())
    const paid = await world.buy()
    await world.platform.moveClock(3_600_000)
    expect([await stateOf(number), await stateOf(paid)]).toEqual(['closed', 'delivered'])
  })

  it('say with what number WeChat refuses a sheet', async () => {
    const params = await world.sign({ amountFen: 1 })
    expect(await send('request-payment', { params, ...payer() })).toEqual({
      status: 400,
      answer: { message: 'requestVirtualPayment:fail GOODS_PRICE_INVALID', errCode: -15013 },
    })
    expect((await send('open', { params: {} })).status).toBe(400)
    expect((await send('pay', { number: 'nobody' })).status).toBe(400)
  })

  it('change the price of an item, and when it was published', async () => {
    await send('item', { id: 'tea', priceFen: 500, published: 'now' })
    const buy = async (amountFen: number) =>
      send('request-payment', { params: await world.sign({ productId: 'tea', amountFen }), ...payer() })
    expect((await buy(500)).answer['errCode']).toBe(-15014)
    await send('item', { id: 'tea', priceFen: 600 })
    expect((await buy(500)).answer['errCode']).toBe(-15013)
    expect((await buy(600)).status).toBe(200)
    await send('item', { id: 'tea', priceFen: 600, published: 'never' })
    expect((await buy(600)).answer['errCode']).toBe(-15010)
  })

  it('give Apple’s money back, and end a refund', async () => {
    const number = await world.buy({ system: 'ios' })
    await send('apple-refund', { number })
    expect(await stateOf(number)).toBe('refunded')
    expect(await send('apple-refund', { number })).toMatchObject({ status: 400 })
    const ordinary = await world.buy()
    await world.virtual.requestRefund({
      outRefundNo: `R${ordinary}`,
      attemptNo: ordinary,
      payerOpenid: world.openid,
      amountFen: 26_800,
      leftFen: 26_800,
      reason: 'other',
      requestedBy: 'user',
    })
    await send('end-refund', { number: `R${ordinary}`, end: 'FAILED' })
    expect(await stateOf(ordinary)).toBe('delivered')
  })

  it('push what an operator must learn of, each kind as our reader knows it', async () => {
    const number = await world.buy()
    for (const kind of pushEventKinds) await send('push-event', { kind, number })
    await send('push-event', { event: { Event: 'anything', Content: 'x' } })
    await send('push-again', { number })
    expect(world.pushed.map(({ kind }) => kind)).toEqual([
      'payment',
      'complaint',
      'risk',
      'coins',
      'unknown',
      'unknown',
      'payment',
    ])
    expect(world.pushed[1]).toMatchObject({ complaint: { attemptNo: number } })
  })

  it('ask for an opinion up to three times, and understand only a sealed answer that is whole', async () => {
    const number = await world.buy({ system: 'ios' })
    const opinion = { letPass: false, info: 'used', evidence: 'scanned twice' }
    world.answers.push([200, 'success'], [503, '{"ErrCode":1}'], [200, world.virtual.answerInquiry(opinion)])
    expect((await send('apple-inquiry', { number })).answer).toEqual({
      opinion: { result_code: 1, result_info: 'used', evidence: 'scanned twice' },
    })
    const sealed: object = JSON.parse(world.virtual.answerInquiry(opinion))
    for (const _ of [1, 2, 3]) world.answers.push([200, JSON.stringify({ ...sealed, Nonce: 'other' })])
    expect((await send('apple-inquiry', { number, reason: 'OTHER' })).answer).toEqual({ opinion: null })
    const asked = world.pushed.filter(({ kind }) => kind === 'inquiry')
    expect(asked).toHaveLength(6)
    expect(asked[5]).toMatchObject({ inquiry: { attemptNo: number, reason: 'OTHER' } })
  })

  it('count the repeats of a refund’s push from zero', async () => {
    world.answers.push([200, 'success'], [503, '{"ErrCode":1}'])
    const number = await world.buy({ system: 'ios' })
    await world.platform.refundByApple(number)
    await expect
      .poll(() => world.pushed.map(({ payload }) => payload['RetryTimes']))
      .toEqual([undefined, 0, 1])
  })

  it('limit the rate as virtual payment does: by a number in an answer of status 200', async () => {
    const number = await world.buy()
    world.platform.faults.add({ kind: 'rate_limited', at: 'xpay', times: 1 })
    expect(await failed(world.virtual.queryOrder(number, world.openid))).toMatchObject({ errcode: 268490015 })
  })

  it('are told where pushes go, or that they go nowhere', async () => {
    await send('push-address', null)
    await world.buy()
    expect(world.pushed).toEqual([])
    expect((await send('push-event', { kind: 'risk' })).status).toBe(400)
    await send('push-address', { url: world.url, format: 'xml' })
    const number = await world.buy()
    await send('push-address', { url: world.url })
    expect(world.pushed).toMatchObject([{ payload: { OutTradeNo: number, Env: '0' } }])
    expect((await send('items')).status).toBe(200)
    expect((await send('refunds')).status).toBe(200)
    expect(Object.values((await send('orders')).answer)).toContainEqual(expect.objectContaining({ number }))
  })

  it('come with the five settings that an API needs, for the live environment', () => {
    const settings = world.platform.settings()
    const env = apiEnvironment(settings, { merchantKeyFile: 'm', platformKeys: [] })
    expect(env).toMatchObject({
      WECHAT_VIRTUAL_OFFER_ID: settings.virtual.offerId,
      WECHAT_VIRTUAL_APP_KEY: settings.virtual.appKey,
      WECHAT_VIRTUAL_ENV: '0',
      WECHAT_PUSH_TOKEN: settings.virtual.pushToken,
      WECHAT_PUSH_AES_KEY: settings.virtual.pushAesKey,
    })
  })
})
