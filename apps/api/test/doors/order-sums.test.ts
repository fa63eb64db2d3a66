import { beforeAll, expect, test } from 'vitest'
import { type Console, hire, signedInConsole } from '../world/console.ts'
import { plantTradeBill } from '../world/plant-trade-bill.ts'
import { plantVirtualPayment } from '../world/plant-virtual-payment.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let viewer: Console
const numbers = { whole: '', part: '', none: '', unpaid: '' }

async function paid(plan: string): Promise<string> {
  const phone = await world.phone()
  const purchase = await phone.buys(plan)
  await phone.pays(purchase)
  return purchase.order.out_trade_no
}

beforeAll(async () => {
  const operatorId = await hire(world, { email: 'desk@example.com', role: 'finance' })
  numbers.whole = await paid('monthly')
  numbers.part = await paid('quarterly')
  numbers.none = await paid('monthly')
  numbers.unpaid = (await (await world.phone()).buys('yearly')).order.out_trade_no
  await refundToItsEnd(world, { outTradeNo: numbers.whole, amountFen: 2900, operatorId })
  await refundToItsEnd(world, { outTradeNo: numbers.part, amountFen: 1450, operatorId })
  await plantTradeBill(world, '2026-01-01', [
    { outTradeNo: numbers.none, feeHundredThousandths: 17_400 },
    { outTradeNo: numbers.part, feeHundredThousandths: 47_400 },
    { outTradeNo: numbers.part, kind: 'refund', feeHundredThousandths: -8_700 },
  ])
  viewer = (await signedInConsole(world, { email: 'viewer@example.com', role: 'viewer' })).console
})

const numbersOf = ({ items }: { items: { outTradeNo: string }[] }) =>
  items.map(({ outTradeNo }) => outTradeNo)

test('the orders of a filter add up to what plain SQL says: taken, given back, left, and what the platform kept', async () => {
  const [sql] = await world.query<Record<string, number>>(
    `SELECT count(*)::int AS count, sum(amount_fen)::int AS "amountFen", count(paid_at)::int AS "paidOrders",
       sum(amount_fen) FILTER (WHERE paid_at IS NOT NULL)::int AS "grossFen", sum(refunded_fen)::int AS "refundedFen",
       (SELECT round(sum(fee_hundred_thousandths) / 1000)::int FROM bill_rows) AS "feeFen"
     FROM orders`,
  )
  const totals = await viewer.order.totals.query({})
  expect(totals).toEqual({
    ...sql,
    netFen: Number(sql?.['grossFen']) - Number(sql?.['refundedFen']),
    feeOrders: 2,
    more: false,
  })
  expect(totals).toMatchObject({ count: 4, paidOrders: 3, refundedFen: 2900 + 1450, feeFen: 56 })
  expect(await viewer.order.totals.query({ status: 'prepay' })).toMatchObject({
    count: 1,
    paidOrders: 0,
    grossFen: 0,
    netFen: 0,
    feeOrders: 0,
  })
})

test('the fee of a virtual payment is what its settlement says', async () => {
  const { userId, attemptNo } = await plantVirtualPayment(world)
  const sums = () => viewer.order.totals.query({ search: userId })
  expect(await sums()).toMatchObject({ paidOrders: 1, feeOrders: 0, feeFen: 0 })
  await world.query(
    `UPDATE order_attempts SET settlement = 'done', settled_at = business_now(), fee_fen = 29
     WHERE number = $1`,
    [attemptNo],
  )
  expect(await sums()).toMatchObject({ feeOrders: 1, feeFen: 29 })
})

test('an order of which a part went back is found by that, and stays paid', async () => {
  const { items } = await viewer.order.list.query({ mark: 'partly_refunded' })
  expect(items).toMatchObject([{ outTradeNo: numbers.part, status: 'paid', refundedFen: 1450 }])
  expect(await viewer.order.totals.query({ mark: 'partly_refunded' })).toMatchObject({
    count: 1,
    netFen: 6450,
  })
  expect(await viewer.order.counts.query({})).toContainEqual({
    tab: 'partly_refunded',
    count: 1,
    more: false,
  })
  const since = { mark: 'partly_refunded', from: new Date(0) } as const
  expect(numbersOf(await viewer.order.list.query(since))).toEqual([numbers.part])
  expect(
    numbersOf(await viewer.order.list.query({ ...since, from: new Date(Date.now() + 86_400_000) })),
  ).toEqual([])
})

test('refunds add up to what was asked for and what of it went back', async () => {
  const operatorId = await hire(world, { email: 'second@example.com', role: 'finance' })
  await world.query(
    `INSERT INTO refunds (out_refund_no, order_id, amount_fen, reason_code, requested_by)
     SELECT 'R00000000000000000000000001', id, 100, 'other', $2 FROM orders WHERE out_trade_no = $1`,
    [numbers.none, operatorId],
  )
  expect(await viewer.refund.totals.query({})).toEqual({
    count: 3,
    amountFen: 2900 + 1450 + 100,
    refundedFen: 2900 + 1450,
    more: false,
  })
})
