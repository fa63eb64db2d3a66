import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/in-transaction.ts'
import { lockRefund } from '../../src/refunds/lock-refund.ts'
import { previewRefund } from '../../src/refunds/preview-refund.ts'
import { requestRefund } from '../../src/refunds/request-refund.ts'
import { hire } from '../world/console.ts'
import { stopClock } from '../world/stop-clock.ts'
import { openTestWorld, type TestWorld } from '../world/test-world.ts'

let world: TestWorld
let finance: string

beforeAll(async () => {
  world = await openTestWorld()
  await hire(world, { email: 'finance@example.com', role: 'finance' })
  const [made] = await world.query<{ id: string }>('SELECT id FROM operators')
  finance = made?.id ?? ''
})
afterAll(() => world[Symbol.asyncDispose]())

const pool = () => world.services.database.pool

async function buyAndPay(): Promise<string> {
  const phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase)
  return purchase.order.out_trade_no
}

const request = (outTradeNo: string) =>
  requestRefund(pool(), {
    ...{ outTradeNo, amountFen: 100, reason: 'user_request', note: null, keepDays: false },
    ...{ operatorId: finance, requestId: 'test' },
  })

test('refunds of one user are settled one after the other, those of other users side by side', async () => {
  const phone = await world.phone()
  const [first, second, strange] = [
    await phone.buys('monthly'),
    await phone.buys('yearly'),
    await buyAndPay(),
  ]
  for (const purchase of [first, second]) await phone.pays(purchase)
  await buyAndPay()
  const refund = async (outTradeNo: string) => (await request(outTradeNo)).outRefundNo
  const [one, other] = [await refund(first.order.out_trade_no), await refund(second.order.out_trade_no)]
  const ofAnother = await refund(strange)
  const lockAtOnce = (outRefundNo: string) =>
    inTransaction(pool(), async (client) => {
      await client.query(`SET LOCAL lock_timeout = '500ms'`)
      return (await lockRefund(client, outRefundNo))?.outTradeNo
    })
  await inTransaction(pool(), async (client) => {
    await lockRefund(client, one)
    await expect(lockAtOnce(other)).rejects.toMatchObject({ code: '55P03' })
    expect(await lockAtOnce(ofAnother)).toBe(strange)
  })
  expect(await lockAtOnce(other)).toBe(second.order.out_trade_no)
})

test('a refund is possible until the year is over, to the microsecond', async () => {
  const outTradeNo = await buyAndPay()
  const atTheEndLess = async (microseconds: number) => {
    const [end] = await world.query<{ at: string }>(
      `SELECT (paid_at + interval '365 days' - $2::int * interval '1 microsecond')::text AS at
       FROM orders WHERE out_trade_no = $1`,
      [outTradeNo, microseconds],
    )
    await stopClock(world, end?.at ?? '')
  }
  const obstacle = async () =>
    (await previewRefund(pool(), { outTradeNo, amountFen: 100, keepDays: false })).obstacle
  await atTheEndLess(1)
  expect(await obstacle()).toBeNull()
  expect(await request(outTradeNo)).toMatchObject({ status: 'approved' })
  await atTheEndLess(0)
  expect(await obstacle()).toBe('too_old')
  await expect(request(outTradeNo)).rejects.toMatchObject({ code: 'refund_not_possible' })
})
