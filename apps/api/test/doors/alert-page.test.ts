import { expect, test } from 'vitest'
import { problemOf } from '../world/console.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import { deliver, payInSilence } from '../world/pay-in-silence.ts'
import { userIdOf } from '../world/somebody.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const desk = useConsole(world, 'viewer')

const openOf = async (kind: string, outTradeNo: string) => {
  const { items } = await desk.alert.list.query({ kind, limit: 100 })
  const found = items.find(({ subject }) => subject.includes(outTradeNo))
  if (!found) throw new Error(`no alert ${kind} about ${outTradeNo}`)
  return desk.alert.detail.query({ id: found.id })
}

test('a double payment names both orders, the earlier first, with what may be refunded of each', async () => {
  const phone = await world.phone()
  const bought = [await phone.buys('monthly', 'one'), await phone.buys('monthly', 'two')]
  for (const purchase of bought) await phone.pays(purchase)
  await doDueJobs(world)
  const numbers = bought.map(({ order }) => order.out_trade_no)
  const alert = await openOf('possible_double_payment', numbers[0] ?? '')
  expect(alert.severity).toBe('warning')
  expect(alert.orders.map(({ outTradeNo }) => outTradeNo)).toEqual(numbers)
  expect(alert.orders).toMatchObject([
    { status: 'paid', granted: true, amountFen: 2900, refundableFen: 2900 },
    { status: 'paid', granted: true, refundableFen: 2900 },
  ])
  expect(alert.notifications.map(({ outcome }) => outcome)).toEqual(['applied', 'applied'])
})

test('a second transaction says its number, the notification that told of it, and the first one', async () => {
  const { outTradeNo } = await payInSilence(world)
  await deliver(world, outTradeNo)
  await deliver(world, outTradeNo, { id: 'EV-second', transactionId: '4200009999999999999999999999' })
  const alert = await openOf('second_transaction', outTradeNo)
  expect(alert.detail).toMatchObject({ transaction_id: '4200009999999999999999999999' })
  expect(alert.notifications).toMatchObject([
    { id: 'EV-second', outcome: 'second_transaction', transactionId: '4200009999999999999999999999' },
    { outcome: 'applied', transactionId: alert.orders[0]?.transactionId },
  ])
})

test('a mismatch shows both values, and the other alerts of its order; the order says so itself', async () => {
  const { phone, outTradeNo } = await payInSilence(world)
  await deliver(world, outTradeNo, { amountFen: 1 })
  const alert = await openOf('payment_mismatch', outTradeNo)
  expect(alert.detail).toMatchObject({ differs: { amountFen: { ours: 2900, theirs: 1 } } })
  expect(alert.others).toEqual([])
  await deliver(world, outTradeNo, { id: 'EV-right' })
  await deliver(world, outTradeNo, { id: 'EV-other', transactionId: '4200009999999999999999999998' })
  const { others } = await desk.alert.detail.query({ id: alert.id })
  expect(others.map(({ kind }) => kind)).toEqual(['second_transaction'])
  for (const about of [{ outTradeNo }, { userId: await userIdOf(world, phone) }])
    expect((await desk.alert.about.query(about)).items.map(({ kind }) => kind)).toEqual([
      'payment_mismatch',
      'second_transaction',
    ])
  const elsewhere = { outTradeNo: 'M00000000000000000000000000' }
  expect((await desk.alert.about.query(elsewhere)).items).toEqual([])
})

test('an alert that is not there is not found', async () => {
  expect(await problemOf(desk.alert.detail.query({ id: '999999999' }))).toBe('not_found')
})
