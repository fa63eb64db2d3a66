import { beforeEach, describe, expect, test } from 'vitest'
import { createClient, isProblem, type MeridianClient, type PhoneRequest } from '../src/index.ts'
import { type Fate, playShop, type Shop } from './play-shop.ts'

const monthly = { code: 'monthly', price_fen: 2900 }
const dearer = { code: 'monthly', price_fen: 3900 }
const yearly = { code: 'yearly', price_fen: 26_800 }

let shop: Shop
let client: MeridianClient

const openClient = () => createClient({ baseUrl: 'http://shop', phone: shop.phone() })
const chargedOrders = () => shop.orders.filter(({ charged }) => charged).length
const problemOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)

beforeEach(() => {
  shop = playShop()
  client = openClient()
})

/** A payment that succeeded, of which nobody hears: no notification comes, and the platform goes away. */
async function payUnheard(plan = monthly): Promise<void> {
  Object.assign(shop, { notified: false, sheet: { ...shop.sheet, pays: true } })
  shop.onCharge = () => {
    shop.platformUp = false
  }
  expect(await client.pay(plan)).toMatchObject({ kind: 'pending' })
}

/** A sheet that was closed without a word, unpaid. */
async function leaveUnclear(): Promise<void> {
  shop.sheet = { pays: false, says: 'unclear' }
  expect(await client.pay(monthly)).toEqual({ kind: 'pending', outTradeNo: 'M1' })
}

test('a payment that was never made is told as closed once its order is, and then there is none', async () => {
  await leaveUnclear()
  for (const order of shop.orders) shop.settle(order, true)
  expect(await client.resume()).toEqual({ kind: 'closed', outTradeNo: 'M1' })
  const before = shop.calls.length
  expect(await client.resume()).toBe(null)
  expect(shop.calls.length).toBe(before)
})

test('a sheet that was closed is not called cancelled while the platform cannot be asked', async () => {
  shop.sheet = { pays: true, says: 'cancelled' }
  await payUnheard()
  shop.platformUp = true
  expect(await client.resume()).toMatchObject({ kind: 'paid', order: { out_trade_no: 'M1' } })
})

describe('after the account is erased', () => {
  const eraseUnpaid = async (fates: Fate[]) => {
    await leaveUnclear()
    for (const order of shop.orders) shop.settle(order, true)
    Object.assign(shop, { fates, sheet: { pays: true, says: 'paid' } })
    await client.account.erase().catch(() => null)
    await client.logIn()
  }

  test('its payment is not asked about', async () => {
    await eraseUnpaid([])
    expect(await client.resume()).toBe(null)
    expect(shop.calls.slice(shop.calls.indexOf('DELETE /me')).join()).not.toContain('/orders/')
  })

  test('by an answer that was lost, its payment stands in the way of none', async () => {
    await eraseUnpaid(['unanswered'])
    expect(await client.pay(yearly)).toMatchObject({ kind: 'paid', order: { out_trade_no: 'M2' } })
    expect(await client.resume()).toBe(null)
  })

  test('by an answer that was lost, its payment is nobody’s', async () => {
    await eraseUnpaid(['unanswered'])
    expect(await client.resume()).toBe(null)
  })
})

test('a logout keeps the payment for the user, who is asked for the money once', async () => {
  await payUnheard()
  await client.logOut()
  expect(await client.resume()).toEqual({ kind: 'pending', outTradeNo: 'M1' })
  await client.logIn()
  shop.platformUp = true
  expect(await client.resume()).toMatchObject({ kind: 'paid', order: { out_trade_no: 'M1' } })
})

describe('while a payment is unsettled,', () => {
  test.each([
    ['the same plan at a new price', () => Object.assign(shop.prices, { monthly: 3900 }), dearer],
    ['another plan', () => undefined, yearly],
    ['the same plan, whose order has run out of time', () => overdue(), monthly],
    ['the same plan', () => undefined, monthly],
  ])(
    '%s opens no sheet, neither before the platform answers nor when it says paid',
    async (_, change, plan) => {
      await payUnheard()
      change()
      expect(await client.pay(plan)).toEqual({ kind: 'pending', outTradeNo: 'M1' })
      shop.platformUp = true
      expect(await client.pay(plan)).toMatchObject({ kind: 'paid', order: { out_trade_no: 'M1' } })
      expect([shop.sheets.length, chargedOrders()]).toEqual([1, 1])
    },
  )

  const overdue = () => {
    for (const order of shop.orders) order.overdue = true
  }

  test('another order is paid only after the first can be paid no more', async () => {
    await leaveUnclear()
    shop.sheet = { pays: true, says: 'paid' }
    expect(await client.pay(yearly)).toMatchObject({ kind: 'paid', order: { out_trade_no: 'M2' } })
    const [first] = shop.orders
    expect(first && shop.charge(first)).toBe(false)
  })

  test('an order whose time ran out unpaid gives way to a new one', async () => {
    await leaveUnclear()
    overdue()
    shop.sheet = { pays: true, says: 'paid' }
    expect(await client.pay(monthly)).toMatchObject({ kind: 'paid', order: { out_trade_no: 'M2' } })
  })

  test('a price that is an old one says so, and the payment is still looked up', async () => {
    await leaveUnclear()
    const problem = await problemOf(client.pay(dearer))
    expect(isProblem(problem, 'price_changed')).toBe(true)
    expect(await client.pay(monthly)).toMatchObject({ kind: 'pending' })
  })

  test('confirming another order does not forget it', async () => {
    await client.pay(yearly)
    await payUnheard()
    expect(await client.confirm('M1')).toMatchObject({ kind: 'paid', order: { plan: { code: 'yearly' } } })
    shop.platformUp = true
    expect(await client.resume()).toMatchObject({ kind: 'paid', order: { plan: { code: 'monthly' } } })
  })
})

test('of two plans that are tapped at once one sheet is opened', async () => {
  const outcomes = await Promise.all([client.pay(monthly), client.pay(yearly)])
  expect(outcomes.map(({ kind }) => kind)).toContain('paid')
  expect([shop.sheets.length, chargedOrders()]).toEqual([1, 1])
})

test('a slow answer about one order does not make way for a second sheet beside that of another', async () => {
  await leaveUnclear()
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const phone = shop.phone()
  const slow = {
    ...phone,
    request: async (request: PhoneRequest) => {
      const answer = await phone.request(request)
      if (request.url.endsWith('/sync')) await held
      return answer
    },
  }
  const again = createClient({ baseUrl: 'http://shop', phone: slow }).pay(monthly)
  await payUnheard(yearly)
  letGo()
  expect(await again).toEqual({ kind: 'pending', outTradeNo: 'M2' })
  expect(shop.sheets.map(({ outTradeNo }) => outTradeNo)).toEqual(['M1', 'M2'])
})
