import { beforeEach, describe, expect, test } from 'vitest'
import { createClient, isProblem, onWx, type Wx } from '../src/index.ts'
import { virtualParams } from './full-answers.ts'
import { playShop, type Shop } from './play-shop.ts'

const monthly = { code: 'monthly', price_fen: 2900 }

let shop: Shop

const openClient = () => createClient({ baseUrl: 'http://shop', phone: shop.phone() })
const pay = () => openClient().pay(monthly)
const purchases = () => shop.calls.filter((call) => call.endsWith('/purchase')).length

beforeEach(() => {
  shop = playShop()
  shop.channel = 'virtual'
})

describe('a payment by virtual payment', () => {
  test('is paid when the API knows it, and never because the sheet said so', async () => {
    expect(await pay()).toMatchObject({ kind: 'paid', order: { out_trade_no: 'M1' } })
    shop = playShop()
    Object.assign(shop, { channel: 'virtual', sheet: { pays: false, says: 'paid' } })
    expect(await pay()).toEqual({ kind: 'pending', outTradeNo: 'M1' })
    expect(shop.reported).toEqual([])
  })

  test('that the user puts away is cancelled, reported, and the same order under a new number later', async () => {
    shop.sheet = { pays: false, says: 'cancelled' }
    expect(await pay()).toEqual({ kind: 'cancelled', outTradeNo: 'M1' })
    expect(shop.reported).toEqual([{ code: -2, number: 'M1' }])
    shop.sheet = { pays: true, says: 'paid' }
    expect(await pay()).toMatchObject({ kind: 'paid', order: { out_trade_no: 'M1' } })
    expect(shop.orders[0]?.signed?.number).not.toBe('M1')
  })

  test('that is said to have failed is looked up, and pending while nobody knows better', async () => {
    shop.sheet = { pays: false, says: 'unclear' }
    expect(await pay()).toEqual({ kind: 'pending', outTradeNo: 'M1' })
    expect(shop.reported).toEqual([{ code: -1, number: 'M1' }])
    shop = playShop()
    Object.assign(shop, { channel: 'virtual', notified: false, sheet: { pays: true, says: 'unclear' } })
    expect(await pay()).toMatchObject({ kind: 'paid' })
  })

  test.each([-15002, -15003, -15005, -15007, -15012])(
    'that the sheet refuses with %i is tried once more, with another text and another code',
    async (code) => {
      shop.refusals = [code]
      expect(await pay()).toMatchObject({ kind: 'paid', order: { out_trade_no: 'M1' } })
      expect(shop.reported).toEqual([{ code, number: 'M1' }])
      expect(shop.orders).toHaveLength(1)
    },
  )

  test('is not tried a third time', async () => {
    shop.refusals = [-15005, -15005, -15005]
    expect(await pay()).toEqual({ kind: 'cancelled', outTradeNo: 'M1', sheetError: -15005 })
    expect([shop.reported.length, shop.sheets.length]).toEqual([2, 0])
  })

  test.each([1001, -4, -15001, -15006, -15010, -15011, -15013, -15014, -15020])(
    'that the sheet refuses with %i can be paid later, and the page is told why it was not',
    async (code) => {
      shop.refusals = [code]
      expect(await pay()).toEqual({ kind: 'cancelled', outTradeNo: 'M1', sheetError: code })
      expect(shop.reported).toEqual([{ code, number: 'M1' }])
      expect(await pay()).toMatchObject({ kind: 'paid', order: { out_trade_no: 'M1' } })
    },
  )

  test('whose number was used up by a payment that nobody heard of is paid, and no sheet opens again', async () => {
    Object.assign(shop, { notified: false, sheet: { pays: true, says: null } })
    void pay()
    await new Promise((resolve) => setImmediate(resolve))
    shop.sheet = { pays: true, says: 'paid' }
    expect(await pay()).toMatchObject({ kind: 'paid', order: { out_trade_no: 'M1' } })
    expect(shop.sheets).toHaveLength(1)
  })

  test('carries a code of its own with every call, also where an answer was lost', async () => {
    await openClient().logIn()
    shop.fates = ['unanswered', 'unanswered']
    expect(await pay()).toMatchObject({ kind: 'paid' })
    expect(purchases()).toBe(3)
  })

  test('on a phone that cannot do it says that WeChat is too old, and opens nothing', async () => {
    shop.canVirtual = false
    const problem = await pay().catch((error: unknown) => error)
    expect(isProblem(problem, 'channel_not_supported')).toBe(true)
    expect(shop.sheets).toEqual([])
  })

  test('is not what an able phone does while the shop sells by JSAPI', async () => {
    shop.channel = 'jsapi'
    expect(await pay()).toMatchObject({ kind: 'paid' })
    expect(shop.orders[0]?.signed).toBe(null)
  })
})

type Held = {
  device: { platform: string; system: string }
  app: { version: string; SDKVersion: string }
  canIUse?: boolean
}

const unheard = () => undefined
/** A `wx` on this device; its sheet of virtual payment fails as told, or not at all. */
function playWx({ device, app, canIUse = false }: Held) {
  const opened: unknown[] = []
  const failures: { errCode: number; errMsg: string }[] = []
  const wx: Wx = {
    request: unheard,
    login: unheard,
    requestPayment: unheard,
    requestVirtualPayment: ({ success, fail, ...params }) => {
      opened.push(params)
      const failure = failures.shift()
      if (failure) fail?.(failure)
      else Reflect.apply(success ?? unheard, null, [{ errMsg: 'requestVirtualPayment:ok' }])
    },
    getStorageSync: unheard,
    setStorageSync: unheard,
    removeStorageSync: unheard,
    canIUse: (what) => canIUse && what === 'requestVirtualPayment',
    getDeviceInfo: () => device,
    getAppBaseInfo: () => app,
  }
  return { wx, opened, failures }
}

const android = { platform: 'android', system: 'Android 14' }
const iphone = (system: string) => ({ platform: 'ios', system })
const current = { version: '8.0.70', SDKVersion: '3.8.10' }

describe('a phone can do virtual payment', () => {
  test.each<[boolean, string, Held]>([
    [true, 'a current Android', { device: android, app: current }],
    [true, 'HarmonyOS', { device: { platform: 'ohos', system: 'HarmonyOS 5' }, app: current }],
    [
      true,
      'the first base library with it',
      { device: android, app: { version: '8.0.5', SDKVersion: '2.19.2' } },
    ],
    [false, 'the base library before', { device: android, app: { version: '8.0.5', SDKVersion: '2.19.1' } }],
    [
      true,
      'an older one that says it can',
      { device: android, app: { version: '8.0.5', SDKVersion: '2.18.0' }, canIUse: true },
    ],
    [
      true,
      'numbers, not letters: 2.100.0',
      { device: android, app: { version: '8.0.5', SDKVersion: '2.100.0' } },
    ],
    [
      true,
      'an iPhone from WeChat 8.0.68 on',
      { device: iphone('iOS 15'), app: { ...current, version: '8.0.68' } },
    ],
    [true, 'and 8.0.100 is later', { device: iphone('iOS 17.5'), app: { ...current, version: '8.0.100' } }],
    [
      false,
      'an iPhone with WeChat 8.0.7',
      { device: iphone('iOS 17.5'), app: { ...current, version: '8.0.7' }, canIUse: true },
    ],
    [false, 'an iPhone before iOS 15', { device: iphone('iOS 14.8.1'), app: current, canIUse: true }],
  ])('%s: %s', (able, _, held) => {
    expect('requestVirtualPayment' in onWx(playWx(held).wx)).toBe(able)
  })

  test('and none that has no such call', () => {
    const { requestVirtualPayment: _, ...older } = playWx({ device: android, app: current }).wx
    expect('requestVirtualPayment' in onWx(older)).toBe(false)
  })
})

describe('the sheet of virtual payment', () => {
  const open = async (failure?: { errCode: number; errMsg: string }) => {
    const { wx, opened, failures } = playWx({ device: iphone('iOS 17.5'), app: current })
    if (failure) failures.push(failure)
    return { code: await onWx(wx).requestVirtualPayment?.(virtualParams()), opened }
  }

  test('is given the texts as they came, character by character', async () => {
    expect(await open()).toEqual({ code: 0, opened: [virtualParams()] })
  })

  test.each([
    [{ errCode: -2, errMsg: 'requestVirtualPayment:fail cancel' }, -2],
    [{ errCode: -15013, errMsg: 'requestVirtualPayment:fail GOODS_PRICE_INVALID' }, -15013],
    [{ errCode: 0, errMsg: 'requestVirtualPayment:fail cancel' }, -2],
    [{ errCode: 0, errMsg: 'requestVirtualPayment:fail ios支付时订单号重复' }, -15002],
    [{ errCode: 0, errMsg: 'requestVirtualPayment:fail' }, -1],
  ])('that fails with %j ended with %i', async (failure, code) => {
    expect((await open(failure)).code).toBe(code)
  })
})
