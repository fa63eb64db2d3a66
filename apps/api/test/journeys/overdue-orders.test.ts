import { afterEach, beforeEach, expect, test } from 'vitest'
import { parkOrder } from '../../src/orders/park-order.ts'
import { sweepOrder } from '../../src/payments/sweep-order.ts'
import { type Answer, codeOf, type Phone } from '../world/phone.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let phone: Phone

beforeEach(async () => {
  phone = await world.phone()
})
afterEach(() => world.platform.faults.clear())

const buyAgain = () => phone.purchaseAnswer('monthly', 'key')

/** An order that nobody has asked about, though its time to pay has run out. */
async function overdueOrder({ paid }: { paid: boolean }): Promise<string> {
  const purchase = await phone.buys('monthly', 'key')
  if (paid) await phone.pays(purchase, { silent: true })
  const outTradeNo = purchase.order.out_trade_no
  await world.passTime({ hours: 1 })
  return outTradeNo
}

const expectRefused = (answer: Answer, code: string, outTradeNo: string) =>
  expect(answer.body).toMatchObject({ code, out_trade_no: outTradeNo })

const stateOf = async (outTradeNo: string) =>
  (
    await world.query(
      `SELECT status::text, close_reason::text AS reason, confirmed_by::text AS by FROM orders WHERE out_trade_no = $1`,
      [outTradeNo],
    )
  )[0]

const eventsOf = async (outTradeNo: string) =>
  (
    await world.query<{ kind: string }>(
      `SELECT e.kind::text FROM order_events e JOIN orders o ON o.id = e.order_id WHERE out_trade_no = $1 ORDER BY e.id`,
      [outTradeNo],
    )
  ).map(({ kind }) => kind)

const askedAbout = (outTradeNo: string) =>
  world.platform.requests.filter(({ path }) => path.includes(outTradeNo)).map(({ method }) => method)
const platformStateOf = (outTradeNo: string) => world.platform.orders.get(outTradeNo)?.state

const closedHere = { status: 'closed', reason: 'expired', by: null }
const paidHere = { status: 'paid', reason: null, by: 'sync' }
const openHere = { status: 'prepay', reason: null, by: null }

test('a purchase whose order was paid in silence finds the payment, and is never told that it is closed', async () => {
  const outTradeNo = await overdueOrder({ paid: true })
  expectRefused(await buyAgain(), 'order_already_paid', outTradeNo)
  expect(await stateOf(outTradeNo)).toEqual(paidHere)
  expect((await phone.subscription()).remaining_days).toBe(30)
})

test('a purchase whose order nobody paid is told so after it was closed, on the platform and here', async () => {
  const outTradeNo = await overdueOrder({ paid: false })
  expectRefused(await buyAgain(), 'order_closed', outTradeNo)
  expect([await stateOf(outTradeNo), platformStateOf(outTradeNo)]).toEqual([closedHere, 'CLOSED'])
  expect(askedAbout(outTradeNo)).toEqual(['GET', 'POST'])
  expectRefused(await buyAgain(), 'order_closed', outTradeNo)
  expect(askedAbout(outTradeNo)).toHaveLength(2)
})

test('a purchase with the key for another plan is refused for that, and the platform is asked nothing', async () => {
  const outTradeNo = await overdueOrder({ paid: false })
  expect(codeOf(await phone.purchaseAnswer('yearly', 'key'))).toBe('idempotency_key_reused')
  expect(askedAbout(outTradeNo)).toEqual([])
})

test.each([
  ['query', true],
  ['query', false],
  ['close', false],
] as const)(
  'where the platform fails the %s, nothing changes and a repeat finds out (paid: %s)',
  async (at, paid) => {
    const outTradeNo = await overdueOrder({ paid })
    world.platform.faults.add({ kind: 'error_before', at })
    const answer = await buyAgain()
    expect(answer.status).toBe(502)
    expectRefused(answer, 'payment_platform_error', outTradeNo)
    expect(await stateOf(outTradeNo)).toEqual(openHere)
    world.platform.faults.clear()
    expectRefused(await buyAgain(), paid ? 'order_already_paid' : 'order_closed', outTradeNo)
  },
)

test('question and closing have five seconds between them', async () => {
  const outTradeNo = await overdueOrder({ paid: false })
  world.platform.faults.add(
    { kind: 'delay', at: 'query', ms: 4000 },
    { kind: 'delay', at: 'close', ms: 20_000 },
  )
  const started = performance.now()
  const answer = await buyAgain()
  expect(performance.now() - started).toBeLessThan(8500)
  expect(answer.status).toBe(504)
  expectRefused(answer, 'payment_platform_timeout', outTradeNo)
  expect(await stateOf(outTradeNo)).toEqual(openHere)
})

test('an order that never reached the platform is closed here', async () => {
  world.platform.faults.add({ kind: 'error_before', at: 'prepay' })
  const { out_trade_no: outTradeNo } = Object((await buyAgain()).body)
  world.platform.faults.clear()
  await world.passTime({ hours: 1 })
  expectRefused(await buyAgain(), 'order_closed', outTradeNo)
  expect(await stateOf(outTradeNo)).toEqual(closedHere)
  expect(askedAbout(outTradeNo)).toEqual(['GET'])
})

test.each(['purchase', 'sweep'] as const)(
  'a payment that failed leaves an order that can be closed: the %s closes it',
  async (who) => {
    const outTradeNo = await overdueOrder({ paid: false })
    Object.assign(world.platform.orders.get(outTradeNo) ?? {}, { state: 'PAYERROR' })
    if (who === 'sweep') await sweepOrder(world.services, { outTradeNo, attempt: 8 })
    expectRefused(await buyAgain(), 'order_closed', outTradeNo)
    expect([await stateOf(outTradeNo), platformStateOf(outTradeNo)]).toEqual([closedHere, 'CLOSED'])
  },
)

test('an order that was paid otherwise than agreed is neither paid nor closed, and nobody is sent to buy again', async () => {
  const outTradeNo = await overdueOrder({ paid: true })
  world.platform.faults.add({ kind: 'wrong_amount', at: 'query' })
  expectRefused(await buyAgain(), 'payment_platform_error', outTradeNo)
  expect(await stateOf(outTradeNo)).toEqual(openHere)
  const alerts = await world.query('SELECT kind FROM alerts WHERE subject = $1', [outTradeNo])
  expect(alerts).toEqual([{ kind: 'payment_mismatch' }])
})

test.each([
  [true, 'order_already_paid'],
  [false, 'order_closed'],
] as const)('an order that is parked is asked about as well (paid: %s)', async (paid, code) => {
  const outTradeNo = await overdueOrder({ paid })
  const trace = { channel: 'job', requestId: null } as const
  await parkOrder(world.services.database.pool, { outTradeNo, reason: 'stuck', trace })
  expectRefused(await buyAgain(), code, outTradeNo)
})

test.each([
  { paid: true, code: 'order_already_paid', move: 'pay', days: 30 },
  { paid: false, code: 'order_closed', move: 'close', days: 0 },
])(
  'two purchases and the sweeper at once agree, and the order moves once (paid: $paid)',
  async ({ paid, code, move, days }) => {
    const outTradeNo = await overdueOrder({ paid })
    world.platform.faults.add({ kind: 'delay', at: 'query', ms: 100 })
    const sweeping = sweepOrder(world.services, { outTradeNo, attempt: 8 })
    for (const answer of await Promise.all([buyAgain(), buyAgain()])) expectRefused(answer, code, outTradeNo)
    await sweeping
    expect(await eventsOf(outTradeNo)).toEqual(['create', 'prepare', move])
    expect((await phone.subscription()).remaining_days).toBe(days)
  },
)

test('a payment that slips in between the question and the closing wins', async () => {
  const outTradeNo = await overdueOrder({ paid: false })
  world.platform.faults.add({ kind: 'delay', at: 'query', ms: 400, times: 1 })
  const answer = buyAgain()
  await expect.poll(() => world.platform.faults.rules, { interval: 5 }).toEqual([])
  await world.platform.pay(outTradeNo, { silent: true, late: true })
  expectRefused(await answer, 'order_already_paid', outTradeNo)
  expect((await phone.subscription()).remaining_days).toBe(30)
})
