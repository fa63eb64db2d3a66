import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabaseGate } from '../world/database-gate.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { openVirtualShop } from '../world/virtual-shop.ts'

let gate: Awaited<ReturnType<typeof openDatabaseGate>>
afterAll(() => gate.cut())
const world = useTestWorld({
  through: async (databaseUrl) => {
    gate = await openDatabaseGate(databaseUrl)
    return gate.databaseUrl
  },
})
beforeAll(() => openVirtualShop(world))

const once = { once: true } as const
const unavailable = { ErrCode: 1, ErrMsg: expect.any(String) }

test('a push that cannot be committed is answered 503 with a body, and success once it is', async () => {
  const phone = await world.phone()
  const purchase = await phone.buysVirtually()
  const { out_trade_no: outTradeNo } = purchase.order
  await gate.cut()
  const [refused] = await phone.paysVirtually(purchase, once)
  expect([refused?.status, JSON.parse(refused?.answer ?? '')]).toEqual([503, unavailable])
  expect(world.platform.virtual.orders.get(outTradeNo)).toMatchObject({ status: 2 })
  await gate.mend()
  const again = async () => (await world.platform.pushAgain(outTradeNo))[0]
  await expect.poll(again).toMatchObject({ status: 200, answer: 'success' })
  expect(await phone.order(outTradeNo)).toMatchObject({ status: 'paid' })
  expect(world.platform.virtual.orders.get(outTradeNo)).toMatchObject({ status: 4 })
  expect((await phone.subscription()).remaining_days).toBe(30)
})

test('a push that takes too long is answered in time, and not with success', async () => {
  const phone = await world.phone()
  const purchase = await phone.buysVirtually()
  const started = performance.now()
  gate.freeze()
  const [refused] = await phone.paysVirtually(purchase, once)
  gate.thaw()
  expect([refused?.status, JSON.parse(refused?.answer ?? '')]).toEqual([503, unavailable])
  expect(performance.now() - started).toBeLessThan(4_500)
  const again = async () => (await world.platform.pushAgain(purchase.order.out_trade_no))[0]
  await expect.poll(again).toMatchObject({ status: 200, answer: 'success' })
  expect((await phone.subscription()).remaining_days).toBe(30)
})
