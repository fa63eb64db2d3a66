import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { closeOrder } from '../../src/orders/move-order.ts'
import { closeUnpaidOrder, recordReply } from '../../src/payments/settle-order.ts'
import { listenToOrders } from '../../src/platform/measures/order-measures.ts'
import { idOf } from '../world/console.ts'
import { passUntil } from '../world/pass-until.ts'
import { deliver, payInSilence } from '../world/pay-in-silence.ts'
import { codeOf, type Phone } from '../world/phone.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { sayRefundEnd, sendRefund } from '../world/send-refund.ts'
import { stopClock } from '../world/stop-clock.ts'
import { useConsole, useTestWorld } from '../world/use-opened.ts'

const email = 'operator@example.com'
const world = useTestWorld({ platform: { refundsSettleAfterMs: null } })
const console = useConsole(world, { email, role: 'operator' })
let operatorId: string

beforeAll(async () => {
  operatorId = await idOf(world, email)
})
afterEach(() => world.platform.faults.clear())

type Ordered = { phone: Phone; outTradeNo: string }

async function unpaid(key = 'key'): Promise<Ordered> {
  const phone = await world.phone()
  return { phone, outTradeNo: (await phone.buys('monthly', key)).order.out_trade_no }
}

async function paid(): Promise<Ordered> {
  const ordered = await payInSilence(world)
  await deliver(world, ordered.outTradeNo)
  return ordered
}

async function refunded(): Promise<Ordered> {
  const phone = await world.phone()
  const { outTradeNo, outRefundNo } = await sendRefund(world, { phone, operatorId })
  await sayRefundEnd(world, outRefundNo, { end: 'SUCCESS' })
  return { phone, outTradeNo }
}

const act = ({ phone, outTradeNo }: Ordered, what: 'sync' | 'cancel') =>
  phone.call(`/subscription/orders/${outTradeNo}/${what}`, { method: 'POST' })
const askedAbout = (outTradeNo: string) =>
  world.platform.requests
    .filter(({ path }) => path.includes(`out-trade-no/${outTradeNo}`))
    .map(({ method }) => method)
const stateThere = (outTradeNo: string, state: string) =>
  Reflect.set(world.platform.orders.get(outTradeNo) ?? {}, 'state', state)
const stateOf = async (outTradeNo: string) => {
  const [row] = await world.query(
    'SELECT status::text, close_reason::text AS reason FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  return row
}
const eventsOf = async (outTradeNo: string) => (await console.order.detail.query({ outTradeNo })).events

describe.each([
  { status: 'paid', bring: paid },
  { status: 'refunded', bring: refunded },
])('an order that is $status', ({ status, bring }) => {
  test('is shown as it is to whoever syncs it, and the platform is not asked', async () => {
    const ordered = await bring()
    const { outTradeNo } = ordered
    expect((await act(ordered, 'sync')).body).toMatchObject({ order: { status } })
    expect(await console.order.sync.mutate({ outTradeNo })).toMatchObject({ outcome: 'already_paid' })
    expect(askedAbout(outTradeNo)).toEqual([])
  })

  test('is neither cancelled nor closed, and the platform is not asked', async () => {
    const ordered = await bring()
    const { outTradeNo } = ordered
    expect(codeOf(await act(ordered, 'cancel'))).toBe('order_already_paid')
    expect(await console.order.close.mutate({ outTradeNo })).toMatchObject({ outcome: 'already_paid' })
    expect(askedAbout(outTradeNo)).toEqual([])
    expect(await stateOf(outTradeNo)).toEqual({ status, reason: null })
  })
})

test('two questions of the same channel with the same reply are two lines where one of them was to close', async () => {
  const { outTradeNo } = await unpaid()
  const trace = { channel: 'sync', requestId: 'one' } as const
  const reply = { answer: 'unknown', platform_request_id: null } as const
  for (const kind of ['ask', 'close_failed', 'close_failed'] as const)
    await recordReply(world.services, { outTradeNo, kind, trace, reply })
  const { events } = await console.order.detail.query({ outTradeNo })
  expect(events.map(({ kind }) => kind)).toEqual(['create', 'prepare', 'ask', 'close_failed'])
})

describe('an order that is closed', () => {
  test('is not closed again, neither by its user nor by an operator, and the platform is not asked', async () => {
    const ordered = await unpaid()
    const { outTradeNo } = ordered
    expect((await act(ordered, 'cancel')).status).toBe(200)
    const asked = askedAbout(outTradeNo)
    expect(asked).toEqual(['GET', 'POST'])
    expect(await act(ordered, 'cancel')).toMatchObject({ status: 200, body: { order: { status: 'closed' } } })
    expect(await console.order.close.mutate({ outTradeNo })).toMatchObject({ outcome: 'closed' })
    expect(askedAbout(outTradeNo)).toEqual(asked)
    expect(await stateOf(outTradeNo)).toEqual({ status: 'closed', reason: 'cancelled' })
  })

  test('on the platform already is closed here for that reason', async () => {
    const { outTradeNo } = await unpaid()
    stateThere(outTradeNo, 'CLOSED')
    expect(await console.order.close.mutate({ outTradeNo })).toMatchObject({ outcome: 'closed' })
    expect(await stateOf(outTradeNo)).toEqual({ status: 'closed', reason: 'platform_closed' })
    expect(askedAbout(outTradeNo)).toEqual(['GET'])
    const closed = {
      kind: 'close',
      channel: 'admin_sync',
      fromStatus: 'prepay',
      toStatus: 'closed',
      operatorEmail: email,
    }
    expect((await eventsOf(outTradeNo)).at(-1)).toMatchObject(closed)
  })

  test('and asked about once more is unchanged, also where its closing is tried again', async () => {
    const { outTradeNo } = await unpaid()
    const closing = {
      outTradeNo,
      channel: 'jsapi',
      confirmedBy: 'sweep',
      requestId: null,
      reason: 'expired',
    } as const
    expect(await closeUnpaidOrder(world.services, closing)).toBe('closed')
    expect(await closeUnpaidOrder(world.services, closing)).toBe('unchanged')
    expect(await console.order.sync.mutate({ outTradeNo })).toMatchObject({ outcome: 'unchanged' })
    expect((await eventsOf(outTradeNo)).map(({ kind }) => kind)).toEqual([
      'create',
      'prepare',
      'close',
      'ask',
    ])
  })

  test('lets a repeat of its purchase know, though a call for it was at work', async () => {
    const phone = await world.phone()
    const planted = { count: 1, openid: phone.openid, keyInFlight: 'in-flight' }
    const [outTradeNo = ''] = await plantOrders(world, planted)
    expect(await console.order.close.mutate({ outTradeNo })).toMatchObject({ outcome: 'closed' })
    expect(codeOf(await phone.purchaseAnswer('monthly', 'in-flight'))).toBe('order_closed')
  })

  test('by two at once is counted once', async () => {
    const { outTradeNo } = await unpaid()
    const moves: string[] = []
    listenToOrders({ onMove: ({ move }) => moves.push(move), onGrant: () => undefined })
    const trace = { channel: 'job', requestId: null } as const
    const close = () => closeOrder(world.services.database.pool, { outTradeNo, reason: 'expired', trace })
    expect([await close(), await close()]).toEqual([true, false])
    expect(moves).toEqual(['close'])
  })
})

test('an order that is being paid is not closed, and the platform is not told to', async () => {
  const ordered = await unpaid()
  const { outTradeNo } = ordered
  stateThere(outTradeNo, 'USERPAYING')
  expect(await console.order.close.mutate({ outTradeNo })).toMatchObject({ outcome: 'unchanged' })
  expect((await act(ordered, 'cancel')).body).toMatchObject({ order: { status: 'prepay' } })
  expect(askedAbout(outTradeNo)).toEqual(['GET', 'GET'])
  expect((await eventsOf(outTradeNo)).map(({ kind }) => kind)).toEqual(['create', 'prepare', 'ask', 'ask'])
})

test('an operator who finds a payment is named with it, and their act says where the order stood', async () => {
  const { outTradeNo } = await payInSilence(world)
  expect(await console.order.sync.mutate({ outTradeNo })).toMatchObject({ outcome: 'paid' })
  const { events, acts, confirmedBy } = await console.order.detail.query({ outTradeNo })
  expect(confirmedBy).toBe('admin_sync')
  const line = { kind: 'pay', channel: 'admin_sync', requestId: acts[0]?.requestId, operatorEmail: email }
  expect(events.at(-1)).toMatchObject(line)
  expect(acts).toMatchObject([{ action: 'order.sync', operatorEmail: email }])
  const [entry] = await world.query('SELECT before FROM audit_entries WHERE subject_id = $1', [outTradeNo])
  expect(entry).toEqual({ before: { status: 'prepay', parked: false } })
})

describe('what the platform answered last', () => {
  /** How many lines tell of a question, when it is asked again so long after the first, an interval of PostgreSQL. */
  async function linesAfter(age: string, pause: string): Promise<number> {
    const ordered = await unpaid()
    const { outTradeNo } = ordered
    const [order] = await world.query<{ first: string; second: string }>(
      `SELECT (created_at + $2::interval - $3::interval)::text AS first, (created_at + $2::interval)::text AS second
       FROM orders WHERE out_trade_no = $1`,
      [outTradeNo, age, pause],
    )
    await passUntil(world, new Date(order?.first ?? 0))
    await stopClock(world, order?.first ?? '')
    await act(ordered, 'sync')
    await stopClock(world, order?.second ?? '')
    await act(ordered, 'sync')
    const told = await world.query(
      `SELECT 1 FROM order_events e JOIN orders o ON o.id = e.order_id WHERE o.out_trade_no = $1 AND e.kind = 'ask'`,
      [outTradeNo],
    )
    await world.passTime({ seconds: 1 })
    return told.length
  }

  test.each([
    { age: '40 seconds', pause: '30 seconds', lines: 2 },
    { age: '40 seconds', pause: '29.999 seconds', lines: 1 },
    { age: '4000 seconds', pause: '40 seconds', lines: 2 },
    { age: '4000 seconds', pause: '39.999 seconds', lines: 1 },
  ])(
    'of an order $age old is told $lines times when it is the same after $pause',
    async ({ age, pause, lines }) => {
      expect(await linesAfter(age, pause)).toBe(lines)
    },
  )
})
