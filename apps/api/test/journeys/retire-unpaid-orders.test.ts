import { expect, test } from 'vitest'
import { sweepOrder } from '../../src/payments/sweep-order.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld({ jobs: true })

test('a new purchase closes the older unpaid order, on the platform and here', async () => {
  const phone = await world.phone()
  const older = await phone.buys('monthly')
  const newer = await phone.buys('quarterly')
  await expect.poll(async () => (await phone.order(older.order.out_trade_no)).status).toBe('closed')
  expect(world.platform.orders.get(older.order.out_trade_no)?.state).toBe('CLOSED')
  expect((await phone.order(newer.order.out_trade_no)).status).toBe('prepay')
  const [row] = await world.query('SELECT close_reason FROM orders WHERE out_trade_no = $1', [
    older.order.out_trade_no,
  ])
  expect(row).toEqual({ close_reason: 'superseded' })
  expect(world.platform.requests.filter(({ path }) => path.includes(older.order.out_trade_no))).toMatchObject(
    [{ method: 'GET' }, { method: 'POST', path: expect.stringMatching(/close$/) }],
  )
})

test('an older order that was paid in silence is found paid and activates', async () => {
  const phone = await world.phone()
  const older = await phone.buys('monthly')
  await phone.pays(older, { silent: true })
  await phone.buys('quarterly')
  await expect.poll(async () => (await phone.order(older.order.out_trade_no)).status).toBe('paid')
  expect((await phone.subscription()).remaining_days).toBe(30)
})

test('the unpaid orders of other people are left alone', async () => {
  const [bystander, phone] = [await world.phone(), await world.phone()]
  const theirs = await bystander.buys('monthly')
  const older = await phone.buys('monthly')
  await phone.buys('quarterly')
  await expect.poll(async () => (await phone.order(older.order.out_trade_no)).status).toBe('closed')
  expect((await bystander.order(theirs.order.out_trade_no)).status).toBe('prepay')
})

test('of two purchases at the same instant, which do not see each other, the older is closed all the same', async () => {
  const phone = await world.phone()
  const older = await phone.buys('monthly')
  // As if a newer one had been stored before this one could be seen: nobody was told to retire anything.
  await plantOrders(world, { count: 1, openid: phone.openid, ago: '0 seconds' })
  await sweepOrder(world.services, { outTradeNo: older.order.out_trade_no, attempt: 0 })
  const [row] = await world.query('SELECT status, close_reason FROM orders WHERE out_trade_no = $1', [
    older.order.out_trade_no,
  ])
  expect(row).toEqual({ status: 'closed', close_reason: 'superseded' })
})
