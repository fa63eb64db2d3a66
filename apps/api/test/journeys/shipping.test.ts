import { systemRuntime } from '@meridian/payments'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requestRefund } from '../../src/refunds/request-refund.ts'
import { trackRefund } from '../../src/refunds/track-refund.ts'
import { queueMissedShipping, queueShipping, retryShipping } from '../../src/shipping/queue-shipping.ts'
import { frozenFen, listWaitingShipments } from '../../src/shipping/show-shipping.ts'
import { uploadShipping } from '../../src/shipping/upload-shipping.ts'
import { hire } from '../world/console.ts'
import { payLate } from '../world/parked-payments.ts'
import { forgetJobs, queuedJobs } from '../world/queued-jobs.ts'
import { setSetting } from '../world/set-setting.ts'
import { openTestWorld } from '../world/test-world.ts'
import { useTestWorld } from '../world/use-opened.ts'

/** What the mini-program platform answers to an upload instead of the truth; each used once. */
let errcodes: number[] = []
/** The upload arrives, its answer does not. */
let losesAnswer = false

const outsideFetch: typeof fetch = async (input, init) => {
  const isUpload = String(input).includes('/upload_shipping_info')
  const errcode = isUpload ? errcodes.shift() : undefined
  if (errcode !== undefined) return Response.json({ errcode, errmsg: 'no rid: 1-2' })
  const answer = await systemRuntime.fetch(input, init)
  if (!isUpload || !losesAnswer) return answer
  losesAnswer = false
  throw new TypeError('the connection broke')
}
const world = useTestWorld({ runtime: { fetch: outsideFetch } })
let finance: string
beforeAll(async () => {
  finance = await hire(world, { email: 'finance@example.com', role: 'finance' })
})
afterEach(async () => {
  errcodes = []
  world.platform.faults.clear()
  await world.query(`DELETE FROM shipping_uploads; DELETE FROM alerts`)
  await forgetJobs(world)
})

const pool = () => world.services.database.pool
const switchTo = (on: boolean) => setSetting(world, 'upload_shipping_info', on)
const attempt = (outTradeNo: string, number = 0) =>
  uploadShipping(world.services, { outTradeNo, attempt: number })

async function buyAndPay(plan = 'monthly') {
  const phone = await world.phone()
  const outTradeNo = await phone.buysAndPays(plan)
  return {
    outTradeNo,
    transactionId: world.platform.orders.get(outTradeNo)?.payments[0]?.transactionId ?? '',
  }
}

/** Paid and queued, the setting on. */
async function due(plan?: string) {
  await switchTo(true)
  const order = await buyAndPay(plan)
  await queueShipping(pool(), [order.outTradeNo])
  return order
}

const uploadOf = async (outTradeNo: string) =>
  (
    await world.query<object>(
      `SELECT u.state, u.attempts, u.last_code FROM shipping_uploads u JOIN orders o ON o.id = u.order_id WHERE o.out_trade_no = $1`,
      [outTradeNo],
    )
  )[0]
/** Seconds until the next attempt of an order, to the nearest five, or null. */
const nextAttempt = async (outTradeNo: string) => {
  const [job] = await world.query<{ seconds: number }>(
    `SELECT (round(extract(epoch FROM run_at - business_now()) / 5) * 5)::int AS seconds FROM ${queuedJobs} WHERE key = $1`,
    [`ship:${outTradeNo}`],
  )
  return job?.seconds ?? null
}
const alerts = () => world.query('SELECT kind, subject FROM alerts')
const uploadsSeen = () =>
  world.platform.requests.filter(({ path }) => path.startsWith('/wxa/sec/order/upload_shipping_info')).length

describe('switched off', () => {
  test('nothing is queued, told or counted as frozen', async () => {
    await switchTo(false)
    const { outTradeNo } = await buyAndPay()
    await queueShipping(pool(), [outTradeNo])
    expect(await queueMissedShipping(pool())).toBe(0)
    expect(await uploadOf(outTradeNo)).toBeUndefined()
    expect(await frozenFen(pool())).toEqual({ on: false, frozenFen: 0, orders: 0, failed: 0, oldest: null })
  })

  test('an order that was queued before is left alone until it is on again', async () => {
    const { outTradeNo, transactionId } = await due()
    await switchTo(false)
    const before = uploadsSeen()
    await attempt(outTradeNo)
    expect(uploadsSeen()).toBe(before)
    expect((await frozenFen(pool())).frozenFen).toBe(0)
    await switchTo(true)
    await attempt(outTradeNo)
    expect(world.platform.shipped.has(transactionId)).toBe(true)
  })
})

describe('switched on', () => {
  test('a paid order is queued once and told once, as virtual goods, on its timeline', async () => {
    const { outTradeNo, transactionId } = await due()
    await queueShipping(pool(), [outTradeNo])
    expect(await nextAttempt(outTradeNo)).toBe(15)
    await attempt(outTradeNo)
    expect(world.platform.shipped.has(transactionId)).toBe(true)
    const told = world.platform.requests.find(
      ({ body }) => body.includes(transactionId) && body.includes('logistics_type'),
    )
    expect(JSON.parse(told?.body ?? '{}')).toMatchObject({
      logistics_type: 3,
      delivery_mode: 1,
      shipping_list: [{ item_desc: '月度会员 30天' }],
    })
    const before = uploadsSeen()
    await Promise.all([attempt(outTradeNo), attempt(outTradeNo, 3), queueShipping(pool(), [outTradeNo])])
    expect(uploadsSeen()).toBe(before)
    expect(await uploadOf(outTradeNo)).toEqual({ state: 'uploaded', attempts: 1, last_code: null })
    const events = await world.query(
      `SELECT kind FROM order_events e JOIN orders o ON o.id = e.order_id WHERE o.out_trade_no = $1 AND kind LIKE 'ship%'`,
      [outTradeNo],
    )
    expect(events).toEqual([{ kind: 'shipping_uploaded' }])
  })

  test('two workers at once tell it once', async () => {
    const { outTradeNo, transactionId } = await due()
    await Promise.all([attempt(outTradeNo), attempt(outTradeNo), attempt(outTradeNo)])
    expect(world.platform.shipped.has(transactionId)).toBe(true)
    expect(await uploadOf(outTradeNo)).toEqual({ state: 'uploaded', attempts: 1, last_code: null })
  })

  test('orders paid while it was off are queued afterwards, once', async () => {
    await switchTo(false)
    const { outTradeNo } = await buyAndPay()
    await switchTo(true)
    expect(await queueMissedShipping(pool())).toBeGreaterThan(0)
    expect(await queueMissedShipping(pool())).toBe(0)
    expect(await uploadOf(outTradeNo)).toMatchObject({ state: 'pending' })
  })
})

describe('by class of error', () => {
  test('too early comes again soon, then it is done', async () => {
    const { outTradeNo } = await due()
    world.platform.faults.add({ kind: 'shipping_not_ready', at: 'mini_program', times: 1 })
    await attempt(outTradeNo)
    expect(await uploadOf(outTradeNo)).toEqual({ state: 'pending', attempts: 1, last_code: '10060001' })
    expect(await nextAttempt(outTradeNo)).toBe(30)
    await attempt(outTradeNo, 1)
    expect(await uploadOf(outTradeNo)).toMatchObject({ state: 'uploaded' })
    expect(await alerts()).toEqual([])
  })

  test('too early for two days is looked at by somebody', async () => {
    const { outTradeNo } = await due()
    world.platform.faults.add({ kind: 'shipping_not_ready', at: 'mini_program' })
    errcodes = [10060001]
    await attempt(outTradeNo, 8)
    expect(await nextAttempt(outTradeNo)).toBe(86_400)
    errcodes = [10060001]
    await attempt(outTradeNo, 9)
    expect(await uploadOf(outTradeNo)).toMatchObject({ state: 'failed' })
    expect(await alerts()).toEqual([{ kind: 'shipping_refused', subject: outTradeNo }])
  })

  test.each([10060002, 10060003, 10060023])('%i says that it was done before', async (errcode) => {
    const { outTradeNo } = await due()
    errcodes = [errcode]
    await attempt(outTradeNo)
    expect(await uploadOf(outTradeNo)).toEqual({ state: 'uploaded', attempts: 1, last_code: null })
  })

  test('10060004 says that there is nothing to ship', async () => {
    const { outTradeNo } = await due()
    errcodes = [10060004]
    await attempt(outTradeNo)
    expect(await uploadOf(outTradeNo)).toEqual({ state: 'not_needed', attempts: 1, last_code: '10060004' })
    expect((await frozenFen(pool())).frozenFen).toBe(0)
  })

  test.each([
    ['busy', -1],
    ['too many calls', 45011],
  ])('%s comes again later, without an alert', async (_, errcode) => {
    const { outTradeNo } = await due()
    errcodes = [errcode]
    await attempt(outTradeNo)
    expect(await uploadOf(outTradeNo)).toEqual({ state: 'pending', attempts: 1, last_code: String(errcode) })
    expect(await nextAttempt(outTradeNo)).toBe(60)
    expect(await alerts()).toEqual([])
  })

  test('a lost answer is asked about, not told again', async () => {
    const { outTradeNo } = await due()
    losesAnswer = true
    await attempt(outTradeNo)
    expect(await uploadOf(outTradeNo)).toEqual({ state: 'pending', attempts: 1, last_code: 'unreachable' })
    const before = uploadsSeen()
    await attempt(outTradeNo, 1)
    expect(await uploadOf(outTradeNo)).toMatchObject({ state: 'uploaded', attempts: 2 })
    expect(uploadsSeen()).toBe(before)
  })

  test('a configuration error is one alert for all orders and comes again each hour', async () => {
    const [one, other] = [await due(), await due()]
    errcodes = [48001, 48001]
    await attempt(one.outTradeNo)
    await attempt(other.outTradeNo)
    expect(await uploadOf(one.outTradeNo)).toEqual({ state: 'failed', attempts: 1, last_code: '48001' })
    expect(await nextAttempt(one.outTradeNo)).toBe(3600)
    expect(await alerts()).toEqual([{ kind: 'shipping_misconfigured', subject: '48001' }])
    await attempt(one.outTradeNo, 1)
    expect(await uploadOf(one.outTradeNo)).toMatchObject({ state: 'uploaded' })
  })

  test('a refusal of the order itself waits for an operator, who may try again', async () => {
    const { outTradeNo } = await due()
    errcodes = [10060031]
    await attempt(outTradeNo)
    expect(await uploadOf(outTradeNo)).toEqual({ state: 'failed', attempts: 1, last_code: '10060031' })
    expect(await alerts()).toEqual([{ kind: 'shipping_refused', subject: outTradeNo }])
    const from = { address: '127.0.0.1', userAgent: 'test', requestId: 'test' }
    expect(
      await retryShipping(world.services.database.prisma, { outTradeNo, operatorId: finance, from }),
    ).toBe(true)
    await attempt(outTradeNo)
    expect(await uploadOf(outTradeNo)).toMatchObject({ state: 'uploaded' })
    expect(
      await retryShipping(world.services.database.prisma, { outTradeNo, operatorId: finance, from }),
    ).toBe(false)
  })
})

describe('what was not handed over is not told', () => {
  test('an order that goes back as a whole needs none', async () => {
    const { outTradeNo, transactionId } = await due()
    const refund = {
      outTradeNo,
      amountFen: 2900,
      reason: 'user_request',
      note: null,
      keepDays: false,
    } as const
    await requestRefund(pool(), { ...refund, operatorId: finance, requestId: 'test' })
    await attempt(outTradeNo)
    expect(await uploadOf(outTradeNo)).toMatchObject({ state: 'not_needed' })
    expect(world.platform.shipped.has(transactionId)).toBe(false)
  })

  test('a late payment that waits for a decision waits here too', async () => {
    await switchTo(true)
    const { outTradeNo } = await payLate(world, { cancelled: true })
    await queueShipping(pool(), [outTradeNo])
    const before = uploadsSeen()
    await attempt(outTradeNo)
    expect(await uploadOf(outTradeNo)).toEqual({ state: 'pending', attempts: 1, last_code: 'undelivered' })
    expect(await nextAttempt(outTradeNo)).toBe(3600)
    expect(uploadsSeen()).toBe(before)
  })
})

test('the frozen sum is what is paid, not refunded and not told, and names the oldest order', async () => {
  const oldest = await due()
  const refunded = await due('quarterly')
  const told = await due('yearly')
  await attempt(told.outTradeNo)
  expect(await frozenFen(pool())).toMatchObject({ on: true, frozenFen: 2900 + 7900, orders: 2 })
  const refund = {
    outTradeNo: refunded.outTradeNo,
    amountFen: 900,
    reason: 'user_request',
    note: null,
  } as const
  const { outRefundNo } = await requestRefund(pool(), {
    ...refund,
    keepDays: true,
    operatorId: finance,
    requestId: 'test',
  })
  await trackRefund(world.services, { outRefundNo, attempt: 0 })
  await world.platform.settleRefund(outRefundNo)
  errcodes = [48001]
  await attempt(refunded.outTradeNo)
  expect(await frozenFen(pool())).toEqual({
    on: true,
    frozenFen: 2900 + 7000,
    orders: 2,
    failed: 1,
    oldest: { outTradeNo: oldest.outTradeNo, paidAt: expect.any(Date) },
  })
  const { items } = await listWaitingShipments(pool(), { limit: 10 }, 'masked')
  expect(items.map(({ outTradeNo, state }) => [outTradeNo, state])).toEqual([
    [oldest.outTradeNo, 'pending'],
    [refunded.outTradeNo, 'failed'],
  ])
})

test('with jobs running, paying is all that is needed', async () => {
  await using live = await openTestWorld({ jobs: true })
  await setSetting(live, 'upload_shipping_info', true)
  const phone = await live.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase)
  const key = `ship:${purchase.order.out_trade_no}`
  await expect.poll(() => live.query(`SELECT 1 FROM ${queuedJobs} WHERE key = $1`, [key])).toHaveLength(1)
  await live.passTime({ seconds: 15 })
  await expect.poll(() => live.platform.shipped.size).toBe(1)
})
