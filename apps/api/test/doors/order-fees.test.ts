import { addFinance, daysOfMonth, monthAfter, netFenOfOrder } from '@meridian/contracts'
import { beforeAll, expect, test } from 'vitest'
import { type Console, hire, signInAnew } from '../world/console.ts'
import { passUntil } from '../world/pass-until.ts'
import { plantTradeBill } from '../world/plant-trade-bill.ts'
import { plantVirtualPayment } from '../world/plant-virtual-payment.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { tamper } from '../world/tamper.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
const DAY = 86_400_000
// The month after this one, so that every day of it can be reached.
const month = monthAfter(new Date(Date.now() + DAY).toISOString().slice(0, 7), 1)
const next = monthAfter(month, 1)
const { from } = daysOfMonth(month)
const at = (day: string, time: string) => new Date(`${day}T${time}+08:00`)
const dayOf = (number: number) => `${month}-${String(number).padStart(2, '0')}`
const paidInMonth = { paidFrom: at(from, '00:00:00'), paidTo: at(daysOfMonth(next).from, '00:00:00') }
const numbers = { kept: '', returned: '', unbilled: '', virtual: '' }
let operatorId: string
let viewer: Console

async function paid(plan: string): Promise<string> {
  const phone = await world.phone()
  const purchase = await phone.buys(plan)
  await phone.pays(purchase)
  return purchase.order.out_trade_no
}

const settle = (attemptNo: string, feeFen: number) =>
  tamper(
    world,
    `UPDATE order_attempts SET settlement = 'done', settled_at = '${at(dayOf(20), '12:00:00').toISOString()}', fee_fen = ${feeFen}
     WHERE number = '${attemptNo}'`,
  )

beforeAll(async () => {
  operatorId = await hire(world, { email: 'viewer@example.com', role: 'viewer' })
  await passUntil(world, at(from, '09:00:00'))
  numbers.kept = await paid('monthly')
  numbers.returned = await paid('quarterly')
  numbers.unbilled = await paid('yearly')
  const virtual = await plantVirtualPayment(world)
  numbers.virtual = virtual.attemptNo
  await settle(virtual.attemptNo, 435)
  await refundToItsEnd(world, { outTradeNo: numbers.returned, amountFen: 3950, operatorId })
  // The second bill of the day counts alone; a third that is still being read does not count yet.
  await plantTradeBill(world, from, [{ outTradeNo: numbers.kept, feeHundredThousandths: 99_000 }])
  await plantTradeBill(world, from, [
    { outTradeNo: numbers.kept, feeHundredThousandths: 17_000 },
    { outTradeNo: numbers.returned, feeHundredThousandths: 47_000 },
    { outTradeNo: numbers.returned, kind: 'refund', feeHundredThousandths: -20_000 },
  ])
  await world.query(
    `WITH bill AS (INSERT INTO bills (kind, bill_date, sha1) VALUES ('trade', $1, repeat('c', 40)) RETURNING id)
     INSERT INTO bill_rows SELECT bill.id, row_number() OVER (), kind, traded_at, transaction_id, out_trade_no, out_refund_no, refund_id, status,
       amount_fen, settled_fen, 88000, rate FROM bill, bill_rows`,
    [from],
  )
  viewer = (await signInAnew(world, 'viewer@example.com')).console
})

const rowsOfMonth = async () => (await viewer.order.list.query(paidInMonth)).items
const feesOfMonths = async (...months: string[]) => {
  const shown = await Promise.all(months.map((one) => viewer.finance.month.query({ month: one })))
  return shown.map(({ channels }) => addFinance(channels).feeFen)
}

test('the fee of an order is what the last bills charge for it less what they give back', async () => {
  const rows = new Map((await rowsOfMonth()).map((row) => [row.outTradeNo, row]))
  const feeOf = (number: string) => rows.get(number)?.feeFen
  expect([numbers.kept, numbers.returned, numbers.unbilled, numbers.virtual].map(feeOf)).toEqual([
    17,
    47 - 20,
    null,
    435,
  ])
  for (const outTradeNo of Object.values(numbers)) {
    const shown = await viewer.order.detail.query({ outTradeNo })
    expect([outTradeNo, shown.feeFen]).toEqual([outTradeNo, feeOf(outTradeNo)])
  }
})

test('the rows of the list, the sum above it and the month of finance agree on net and fees', async () => {
  const rows = await rowsOfMonth()
  const totals = await viewer.order.totals.query(paidInMonth)
  const sum = (figures: (number | null)[]) => figures.reduce<number>((whole, one) => whole + (one ?? 0), 0)
  expect(totals).toMatchObject({
    count: 4,
    netFen: sum(rows.map(netFenOfOrder)),
    feeFen: sum(rows.map(({ feeFen }) => feeFen)),
    feeOrders: 3,
  })
  const { channels } = await viewer.finance.month.query({ month })
  for (const { channel, feeFen } of channels)
    expect([channel, feeFen]).toEqual([
      channel,
      (await viewer.order.totals.query({ ...paidInMonth, channel })).feeFen,
    ])
})

test('a fee given back in another month counts there for finance, and at its order in the lists', async () => {
  const [before] = await feesOfMonths(month)
  await passUntil(world, at(daysOfMonth(next).from, '09:00:00'))
  viewer = (await signInAnew(world, 'viewer@example.com')).console
  await refundToItsEnd(world, { outTradeNo: numbers.returned, amountFen: 3950, operatorId })
  await plantTradeBill(world, daysOfMonth(next).from, [
    { outTradeNo: numbers.returned, kind: 'refund', feeHundredThousandths: -20_000 },
  ])
  expect(await feesOfMonths(month, next)).toEqual([before, -20])
  expect((await viewer.order.totals.query(paidInMonth)).feeFen).toBe((before ?? 0) - 20)
})

test('the fee of an order that was not paid is not known', async () => {
  const { order } = await (await world.phone()).buys('yearly')
  expect((await viewer.order.detail.query({ outTradeNo: order.out_trade_no })).feeFen).toBeNull()
  const { items } = await viewer.order.list.query({ status: 'prepay' })
  expect(items).toMatchObject([{ outTradeNo: order.out_trade_no, feeFen: null }])
  expect(items.map(netFenOfOrder)).toEqual([null])
})
