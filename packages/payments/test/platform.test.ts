import { createPrivateKey } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { authorization } from '../src/send-once.ts'
import { requestMessage, sign } from '../src/signature.ts'
import { createPlatform, generatePlatformKeys, startPlatform } from '../src/testing/index.ts'
import { anOrder, openWorld, type World } from './world/world.ts'

const Refused = z.object({ code: z.string().optional() })

/** The platform is as strict as the real one, or tests against it would prove nothing. */
describe('the platform to test against', () => {
  let world: World
  let now = new Date()
  beforeAll(async () => {
    world = await openWorld({ now: () => now, runtime: { now: () => now } })
  })
  afterAll(() => world.close())

  type Wrong = {
    timestamp?: string
    serialNo?: string
    mchId?: string
    headers?: Record<string, string>
    text?: string
  }

  async function send(wrong: Wrong = {}) {
    const { keys, url } = world.platform
    const order = {
      appid: keys.appId,
      mchid: keys.mchId,
      description: '会员',
      out_trade_no: anOrder().outTradeNo,
      notify_url: 'https://shop.example.com/notify',
      amount: { total: 1, currency: 'CNY' },
      payer: { openid: 'o' },
    }
    const body = wrong.text ?? JSON.stringify(order)
    const target = '/v3/pay/transactions/jsapi'
    const timestamp = wrong.timestamp ?? String(Math.floor(now.getTime() / 1000))
    const message = requestMessage({ method: 'POST', target, timestamp, nonce: 'n', body })
    const signature = await sign(message, createPrivateKey(keys.merchant.privateKey))
    const serialNo = wrong.serialNo ?? keys.merchant.serial
    const parts = { mchId: wrong.mchId ?? keys.mchId, nonce: 'n', timestamp, serialNo, signature }
    const headers = {
      authorization: authorization(parts),
      accept: '*/*',
      'user-agent': 'test/1',
      ...wrong.headers,
    }
    const response = await fetch(url + target, { method: 'POST', body, headers })
    const { code } = Refused.parse(await response.json())
    return { status: response.status, code, signed: response.headers.has('wechatpay-signature') }
  }
  const orderWith = (change: object) =>
    JSON.stringify({
      appid: world.platform.keys.appId,
      mchid: world.platform.keys.mchId,
      description: '会员',
      out_trade_no: anOrder().outTradeNo,
      notify_url: 'https://shop.example.com/notify',
      amount: { total: 1 },
      payer: { openid: 'o' },
      ...change,
    })

  it('takes a right request and signs its answer', async () => {
    expect(await send()).toMatchObject({ status: 200, signed: true })
  })

  it.each<[string, () => Wrong, number, string]>([
    [
      'a clock that is off',
      () => ({ timestamp: String(Math.floor(now.getTime() / 1000) - 301) }),
      401,
      'SIGN_ERROR',
    ],
    ['another serial', () => ({ serialNo: 'ABCDEF' }), 401, 'SIGN_ERROR'],
    ['another merchant', () => ({ mchId: '1' }), 401, 'SIGN_ERROR'],
    ['no authorization', () => ({ headers: { authorization: '' } }), 401, 'SIGN_ERROR'],
    ['another scheme', () => ({ headers: { authorization: 'Bearer x' } }), 401, 'SIGN_ERROR'],
    ['a null', () => ({ text: orderWith({ attach: null }) }), 400, 'PARAM_ERROR'],
    ['a parameter too many', () => ({ text: orderWith({ colour: 'red' }) }), 400, 'PARAM_ERROR'],
    ['an amount of zero', () => ({ text: orderWith({ amount: { total: 0 } }) }), 400, 'PARAM_ERROR'],
    ['four-byte characters', () => ({ text: orderWith({ description: '😀' }) }), 400, 'PARAM_ERROR'],
    [
      'a query in the notify URL',
      () => ({ text: orderWith({ notify_url: 'https://a.b/?c' }) }),
      400,
      'PARAM_ERROR',
    ],
    ['another app', () => ({ text: orderWith({ appid: 'wxother' }) }), 400, 'APPID_MCHID_NOT_MATCH'],
    [
      'an end in the past',
      () => ({ text: orderWith({ time_expire: '2020-01-01T00:00:00+08:00' }) }),
      400,
      'PARAM_ERROR',
    ],
    ['an empty User-Agent', () => ({ headers: { 'user-agent': '' } }), 400, 'INVALID_REQUEST'],
  ])('refuses %s, unsigned', async (...[, wrong, status, code]) => {
    expect(await send(wrong())).toEqual({ status, code, signed: false })
  })

  it('lets nobody pay with a prepay_id of two hours ago, or an order that has expired', async () => {
    const order = anOrder({ expiresAt: new Date(now.getTime() + 2.5 * 3_600_000) })
    const { prepayId } = await world.payments.prepay(order)
    const params = await world.payments.paymentParams(prepayId)
    now = new Date(now.getTime() + 2 * 3_600_000 + 1_000)
    const pay = (chosen = params) =>
      world.platform.requestPayment(chosen, { openid: order.payerOpenid, silent: true })
    await expect(pay()).rejects.toThrow('prepay_id已过期')
    const again = await world.payments.prepay(order)
    const fresh = await world.payments.paymentParams(again.prepayId)
    now = new Date(now.getTime() + 3_600_000)
    await expect(pay(fresh)).rejects.toThrow('订单已过期')
  })

  it('can be stopped and started again with the keys it had', async () => {
    const keys = generatePlatformKeys()
    const stored = JSON.stringify(keys)
    const again = createPlatform({ keys: JSON.parse(stored) })
    expect(again.settings('http://127.0.0.1:1').merchantSerialNo).toBe(keys.merchant.serial)
    const first = await startPlatform({ keys })
    await first.stop()
    await expect(fetch(first.url)).rejects.toThrow()
  })

  it('repeats for a day of downtime, on the schedule of the platform, in compressed time', async () => {
    const order = anOrder({ expiresAt: new Date(now.getTime() + 3_600_000) })
    await world.payments.prepay(order)
    world.platform.setScheduleSpeed(100_000)
    world.merchant.failNext(15)
    await world.platform.pay(order.outTradeNo)
    const attempts = () =>
      world.platform.deliveries.filter(({ outTradeNo }) => outTradeNo === order.outTradeNo)
    await expect.poll(() => attempts().length).toBe(16)
    expect(attempts().at(-1)).toMatchObject({ attempt: 16, status: 204 })
  })
})
