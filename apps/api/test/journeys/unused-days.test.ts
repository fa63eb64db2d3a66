import { beforeAll, beforeEach, expect, test } from 'vitest'
import { previewRefund } from '../../src/refunds/preview-refund.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { changeDays } from '../../src/subscriptions/change-days.ts'
import { hire } from '../world/console.ts'
import type { Phone } from '../world/phone.ts'
import { askRefund, sayRefundEnd } from '../world/send-refund.ts'
import { somebody } from '../world/somebody.ts'
import { heldClock } from '../world/stop-clock.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let operatorId: string

const pool = () => world.services.database.pool
const { holdAt, begin } = heldClock(world)

beforeAll(async () => {
  operatorId = await hire(world, { email: 'finance@example.com', role: 'finance' })
})
beforeEach(async () => {
  await begin()
})

async function buys(phone: Phone, plan: string): Promise<string> {
  return phone.buysAndPays(plan)
}
/** Asked for, sent, and reported as done by the platform. */
async function giveBack(outTradeNo: string, amountFen: number): Promise<void> {
  const { outRefundNo } = await askRefund(world, { outTradeNo, amountFen, operatorId })
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  expect(await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })).toBe(204)
}
/** How many days of each order lie ahead. */
const left = (...orders: string[]) =>
  Promise.all(
    orders.map(
      async (outTradeNo) =>
        (await previewRefund(pool(), { outTradeNo, amountFen: 100, keepDays: false })).daysLeft,
    ),
  )
const takings = async (userId: string) =>
  (
    await world.query<{ days: number }>(
      `SELECT days FROM grants WHERE user_id = $1 AND kind = 'refund_revocation' ORDER BY seq`,
      [userId],
    )
  ).map(({ days }) => days)

test('what an earlier order gave back is not unused again in a later one as time goes on', async () => {
  const { phone } = await somebody(world)
  const [earlier, later] = [await buys(phone, 'monthly'), await buys(phone, 'monthly')]
  await holdAt(10)
  expect(await left(earlier, later)).toEqual([20, 30])
  await giveBack(earlier, 2900)
  expect(await left(earlier, later)).toEqual([0, 30])
  await holdAt(20)
  expect(await left(earlier, later)).toEqual([0, 20])
  await holdAt(41)
  expect(await left(earlier, later)).toEqual([0, 0])
})

test('each of three orders has its own days, when the one between gave some back and an operator took some', async () => {
  const [{ phone, userId }, neighbour] = [await somebody(world), await somebody(world)]
  const [first, second] = [await buys(phone, 'monthly'), await buys(phone, 'quarterly')]
  await buys(neighbour.phone, 'yearly')
  const third = await buys(phone, 'monthly')
  await holdAt(10)
  await giveBack(second, 3950)
  expect(await left(first, second, third)).toEqual([20, 45, 30])
  await holdAt(25)
  expect(await left(first, second, third)).toEqual([5, 45, 30])
  await holdAt(40)
  expect(await left(first, second, third)).toEqual([0, 35, 30])
  await changeDays(
    world.services.database.prisma,
    { userId, days: -5, reason: 'shared the account', entries: 4 },
    { operatorId, from: { address: '', userAgent: '', requestId: '' } },
  )
  expect(await left(first, second, third)).toEqual([0, 30, 30])
  await giveBack(third, 2900)
  expect(await left(first, second, third)).toEqual([0, 30, 0])
  expect((await phone.subscription()).remaining_days).toBe(30)
})

test('the last day is taken back, and of days that are over nothing is written', async () => {
  const [{ phone, userId }, late] = [await somebody(world), await somebody(world)]
  const [order, over] = [await buys(phone, 'monthly'), await buys(late.phone, 'monthly')]
  await holdAt(29)
  expect(await left(order)).toEqual([1])
  await giveBack(order, 2900)
  expect(await takings(userId)).toEqual([-1])
  expect((await phone.subscription()).is_active).toBe(false)
  await holdAt(30)
  expect(await left(order, over)).toEqual([0, 0])
  await giveBack(over, 2900)
  expect(await takings(late.userId)).toEqual([])
})

test('parts that are given back take whole days alone, and together as many as the whole', async () => {
  const { phone, userId } = await somebody(world)
  const order = await buys(phone, 'monthly')
  for (const amountFen of [96, 1, 96, 2707]) await giveBack(order, amountFen)
  expect(await takings(userId)).toEqual([-1, -29])
  expect(await left(order)).toEqual([0])
})
