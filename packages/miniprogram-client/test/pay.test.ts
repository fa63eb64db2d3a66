import { beforeEach, expect, test } from 'vitest'
import { createClient, type MeridianClient } from '../src/index.ts'
import { playShop, type Shop } from './play-shop.ts'

const monthly = { code: 'monthly', price_fen: 2900 }

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
