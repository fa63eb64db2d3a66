import { afterEach, describe, expect, test } from 'vitest'
import { parkOrder } from '../../src/orders/park-order.ts'
import { listUnpaidOrders } from '../../src/orders/sweep-schedule.ts'
import { retireUnpaidOrders, sweepOrder } from '../../src/payments/sweep-order.ts'
import { passUntil } from '../world/pass-until.ts'
import type { Phone } from '../world/phone.ts'
import { plantOrders } from '../world/plant-orders.ts'
import { queuedJobs } from '../world/queued-jobs.ts'
import { stopClock } from '../world/stop-clock.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()

afterEach(() => world.passTime({ seconds: 1 }))

const pool = () => world.services.database.pool
const trace = { channel: 'job', requestId: null } as const
const sweep = (outTradeNo: string, attempt = 0) => sweepOrder(world.services, { outTradeNo, attempt })
const park = (outTradeNo: string) => parkOrder(pool(), { outTradeNo, reason: 'stuck', trace })

const buy = async (phone: Phone, key: string) => (await phone.buys('monthly', key)).order.out_trade_no

async function stateOf(outTradeNo: string) {
  const [row] = await world.query<{ status: string; reason: string | null }>(
    'SELECT status::text, close_reason::text AS reason FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  return row
}
const open = { status: 'prepay', reason: null }
const superseded = { status: 'closed', reason: 'superseded' }
const expired = { status: 'closed', reason: 'expired' }

const askedAbout = (outTradeNo: string) =>
  world.platform.requests.filter(({ path }) => path.includes(outTradeNo) && !path.endsWith('/close'))

/** Stops the clock so long after an instant of the order, an interval of PostgreSQL. */
async function stopAt(outTradeNo: string, from: 'created_at' | 'expires_at', after: string): Promise<void> {
  const [at] = await world.query<{ instant: Date; text: string }>(
    `SELECT instant, instant::text AS text FROM orders, LATERAL (SELECT ${from} + $2::interval AS instant) at
     WHERE out_trade_no = $1`,
    [outTradeNo, after],
  )
  if (at) await passUntil(world, at.instant)
  await stopClock(world, at?.text ?? '')
}

async function ownerOf(outTradeNo: string): Promise<string> {
  const [row] = await world.query<{ id: string }>(
    'SELECT user_id AS id FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  return row?.id ?? ''
}

describe('an unpaid order that is swept', () => {
  test('is not replaced by a newer order of somebody else, nor by an older one of its own user', async () => {
    const phone = await world.phone()
    const older = await buy(phone, 'older')
    const newer = await buy(phone, 'newer')
    await buy(await world.phone(), 'theirs')
    await sweep(newer)
    expect(await stateOf(newer)).toEqual(open)
    await sweep(older)
    expect(await stateOf(older)).toEqual(superseded)
  })

  test.each([
    { ago: '1 minute', is: open, how: 'is not replaced by one that was made a minute before it' },
    { ago: '59.999 seconds', is: superseded, how: 'is replaced by one that was stored after it' },
  ])('$how, though it has a later number ($ago)', async ({ ago, is }) => {
    const phone = await world.phone()
    const outTradeNo = await buy(phone, 'key')
    await stopAt(outTradeNo, 'created_at', '0 seconds')
    // As an order that is made again after a restore: it is stored now, and dated when it was paid.
    await plantOrders(world, { count: 1, openid: phone.openid, ago })
    await sweep(outTradeNo)
    expect(await stateOf(outTradeNo)).toEqual(is)
  })

  test('is open until the instant at which it expires, and closed from then on', async () => {
    const outTradeNo = await buy(await world.phone(), 'key')
    await stopAt(outTradeNo, 'expires_at', '-1 microsecond')
    await sweep(outTradeNo)
    expect(await stateOf(outTradeNo)).toEqual(open)
    await stopAt(outTradeNo, 'expires_at', '0 seconds')
    await sweep(outTradeNo)
    expect(await stateOf(outTradeNo)).toEqual(expired)
  })

  test('without a prepay is not asked about until it expires, where the question was planned when it was opened', async () => {
    const phone = await world.phone()
    world.platform.faults.add({ kind: 'error_before', at: 'prepay', status: 403, times: 1 })
    await phone.purchaseAnswer('monthly', 'without-prepay')
    const [order] = await world.query<{ no: string }>(
      'SELECT out_trade_no AS no FROM orders ORDER BY id DESC LIMIT 1',
    )
    const outTradeNo = order?.no ?? ''
    const before = askedAbout(outTradeNo).length
    await sweepOrder(world.services, { outTradeNo, attempt: 0, fromOpening: true })
    expect(askedAbout(outTradeNo)).toHaveLength(before)
    const rows = await world.query(
      `SELECT run_at = expires_at AS "atExpiry", payload ->> 'fromOpening' AS "fromOpening"
       FROM due_jobs JOIN orders ON out_trade_no = $1 WHERE key = 'sweep:' || $1`,
      [outTradeNo],
    )
    expect(rows).toEqual([{ atExpiry: true, fromOpening: null }])
    await stopAt(outTradeNo, 'expires_at', '0 seconds')
    await sweep(outTradeNo)
    expect(await stateOf(outTradeNo)).toEqual(expired)
  })

  test('is not asked about once it is parked, paid or closed', async () => {
    const phone = await world.phone()
    const parked = await buy(phone, 'parked')
    await park(parked)
    const closed = await buy(phone, 'closed')
    await phone.call(`/subscription/orders/${closed}/cancel`, { method: 'POST' })
    const paid = await phone.buys('monthly', 'paid')
    await phone.pays(paid)
    for (const outTradeNo of [parked, closed, paid.order.out_trade_no]) {
      const before = askedAbout(outTradeNo).length
      await sweep(outTradeNo)
      expect(askedAbout(outTradeNo)).toHaveLength(before)
    }
    expect(await stateOf(parked)).toEqual(open)
  })
})

describe('the next question about an unpaid order', () => {
  /** The jobs that wait for this order, and in how many seconds they are due. */
  const waitingFor = (outTradeNo: string) =>
    world.query<{ payload: object; seconds: number }>(
      `SELECT payload, extract(epoch FROM run_at - business_now())::float8 AS seconds
       FROM ${queuedJobs} WHERE payload ->> 'outTradeNo' = $1 AND key LIKE 'sweep:%'`,
      [outTradeNo],
    )

  test('leaves those about all other orders as they are', async () => {
    const [one, other] = [await buy(await world.phone(), 'one'), await buy(await world.phone(), 'other')]
    const planned = () => world.query('SELECT * FROM due_jobs WHERE key = $1', [`sweep:${other}`])
    const before = await planned()
    await sweep(one, 3)
    expect(await waitingFor(one)).toMatchObject([{ payload: { attempt: 4 } }])
    expect(await planned()).toEqual(before)
    expect(before).toMatchObject([{ payload: { attempt: 0 } }])
  })

  test('comes after the pauses that the platform advises, then when the order expires', async () => {
    const outTradeNo = await buy(await world.phone(), 'key')
    await stopAt(outTradeNo, 'expires_at', '-25 minutes')
    const pauses = [25, 30, 120, 120, 300, 1200, 1500, 1500]
    for (const [attempt, seconds] of pauses.entries()) {
      await sweep(outTradeNo, attempt)
      const payload = { outTradeNo, attempt: attempt + 1 }
      expect(await waitingFor(outTradeNo)).toEqual([{ payload, seconds }])
    }
  })

  test('comes no later than the order expires', async () => {
    const outTradeNo = await buy(await world.phone(), 'key')
    await stopAt(outTradeNo, 'expires_at', '-20 seconds')
    await sweep(outTradeNo)
    expect(await waitingFor(outTradeNo)).toMatchObject([{ seconds: 20 }])
  })

  test.each([
    { paid: 'as agreed', status: 'paid', wrong: false },
    { paid: 'otherwise than agreed, which a person looks at', status: 'prepay', wrong: true },
  ])('is put off by no sweep that finds it paid $paid', async ({ status, wrong }) => {
    const phone = await world.phone()
    const purchase = await phone.buys('monthly', 'key')
    await phone.pays(purchase, { silent: true })
    const outTradeNo = purchase.order.out_trade_no
    if (wrong) world.platform.faults.add({ kind: 'wrong_amount', at: 'query', outTradeNo, times: 1 })
    await sweep(outTradeNo, 3)
    expect(await stateOf(outTradeNo)).toMatchObject({ status })
    expect(await waitingFor(outTradeNo)).toMatchObject([{ payload: { attempt: 0 } }])
  })
})

test('the unpaid orders are listed oldest first, without those that an operator looks at', async () => {
  const phone = await world.phone()
  const [young] = await plantOrders(world, { count: 1, openid: phone.openid, ago: '2 days' })
  const [old] = await plantOrders(world, { count: 1, openid: phone.openid, ago: '3 days' })
  const together = await plantOrders(world, { count: 3, openid: phone.openid, ago: '4 days', together: 3 })
  const [parked] = await plantOrders(world, { count: 1, openid: phone.openid, ago: '5 days' })
  await park(parked ?? '')
  const [closed] = await plantOrders(world, {
    count: 1,
    openid: phone.openid,
    ago: '6 days',
    status: 'closed',
  })
  const listed = (await listUnpaidOrders(pool())).map(({ outTradeNo }) => outTradeNo)
  expect(listed.slice(0, 5)).toEqual([...together.toReversed(), old, young])
  expect(listed).not.toContain(parked)
  expect(listed).not.toContain(closed)
})

describe('a new purchase', () => {
  const retire = async (outTradeNo: string) =>
    retireUnpaidOrders(world.services, { userId: await ownerOf(outTradeNo), exceptOutTradeNo: outTradeNo })

  test('retires the fifty oldest of its user’s unpaid orders at a time', async () => {
    const phone = await world.phone()
    const planted = await plantOrders(world, { count: 51, openid: phone.openid, ago: '1 hour', together: 51 })
    const newest = await buy(phone, 'newest')
    await retire(newest)
    const left = await world.query<{ no: string }>(
      `SELECT out_trade_no AS no FROM orders WHERE out_trade_no = ANY($1) AND status = 'created'`,
      [planted],
    )
    expect(left).toEqual([{ no: planted[0] }])
    expect(await stateOf(newest)).toEqual(open)
  })

  test('retires none that is newer, that somebody else has, that is parked or that was closed before', async () => {
    const [phone, other] = [await world.phone(), await world.phone()]
    const theirs = await buy(other, 'theirs')
    const parked = await buy(phone, 'parked')
    await park(parked)
    const cancelled = await buy(phone, 'cancelled')
    await phone.call(`/subscription/orders/${cancelled}/cancel`, { method: 'POST' })
    const older = await buy(phone, 'older')
    const itself = await buy(phone, 'itself')
    const newer = await buy(phone, 'newer')
    await retire(itself)
    expect(await stateOf(older)).toEqual(superseded)
    for (const outTradeNo of [theirs, parked, itself, newer]) expect(await stateOf(outTradeNo)).toEqual(open)
    expect(await stateOf(cancelled)).toEqual({ status: 'closed', reason: 'cancelled' })
  })
})
