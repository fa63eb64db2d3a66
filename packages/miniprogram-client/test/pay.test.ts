import { beforeEach, describe, expect, test } from 'vitest'
import { createClient, type MeridianClient } from '../src/index.ts'
import { type Fate, playShop, type Shop } from './play-shop.ts'

const monthly = { code: 'monthly', price_fen: 2900 }
const yearly = { code: 'yearly', price_fen: 26_800 }

let shop: Shop
let client: MeridianClient

const openClient = () => createClient({ baseUrl: 'http://shop', phone: shop.phone() })

beforeEach(() => {
  shop = playShop()
  client = openClient()
})

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
  shop.notified = false
  shop.sheet = { pays: true, says: 'cancelled' }
  shop.onCharge = () => {
    shop.platformUp = false
  }
  expect(await client.pay(monthly)).toEqual({ kind: 'pending', outTradeNo: 'M1' })
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
  shop.notified = false
  shop.sheet = { pays: true, says: 'unclear' }
  shop.onCharge = () => {
    shop.platformUp = false
  }
  await client.pay(monthly)
  await client.logOut()
  expect(await client.resume()).toEqual({ kind: 'pending', outTradeNo: 'M1' })
  await client.logIn()
  shop.platformUp = true
  expect(await client.resume()).toMatchObject({ kind: 'paid', order: { out_trade_no: 'M1' } })
})
