import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FaultKind } from '../src/testing/index.ts'
import { placed } from './world/orders-in-this-world.ts'
import { anOrder, openWorld, type World } from './world/world.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const SCHEDULE_SPEED = 1500

let world: World
beforeAll(async () => {
  world = await openWorld({ scheduleSpeed: SCHEDULE_SPEED })
})
afterAll(() => world.close())
beforeEach(() => {
  world.merchant.read.length = 0
  world.merchant.refused.length = 0
})
afterEach(() => {
  world.platform.faults.clear()
  world.platform.stopSchedule()
})

describe('an answer', () => {
  const unverified: [FaultKind, string][] = [
    ['unsigned', 'unverified_answer'],
    ['wrong_key', 'unverified_answer'],
    ['unknown_serial', 'unverified_answer'],
    ['clock_skew', 'unverified_answer'],
    ['corrupt_byte', 'unverified_answer'],
    ['rate_limited', 'refused'],
  ]

  it.each(unverified)('with the fault %s is %s, and nothing is believed', async (kind, reason) => {
    const { outTradeNo } = await placed(world)
    world.platform.faults.add({ kind, at: 'query' })
    await expect(world.payments.queryOrder(outTradeNo)).rejects.toMatchObject({
      name: 'PaymentsError',
      reason,
    })
  })

  it.each(['probe', 'error_before', 'error_after', 'html', 'drop'] as const)(
    'with the fault %s is asked for once more, and once only',
    async (kind) => {
      const { outTradeNo } = await placed(world)
      world.platform.faults.add({ kind, at: 'query', times: 1 })
      expect(await world.payments.queryOrder(outTradeNo)).toMatchObject({ state: 'not_paid' })
      world.platform.faults.add({ kind, at: 'query', times: 2 })
      await expect(world.payments.queryOrder(outTradeNo)).rejects.toMatchObject({ name: 'PaymentsError' })
    },
  )

  it('that is lost after an order was placed does not make two', async () => {
    const order = anOrder()
    world.platform.faults.add({ kind: 'error_after', at: 'prepay', times: 1 })
    expect((await world.payments.prepay(order)).prepayId).toMatch(/^wx/)
    expect(world.platform.orders.get(order.outTradeNo)?.prepayIds).toHaveLength(2)
  })

  it.each([
    ['wrong_amount', { amountFen: 7901 }],
    ['wrong_currency', { currency: 'USD' }],
    ['wrong_payer', { payerOpenid: 'oSomebodyElse00000000000000' }],
  ] as const)(
    'with the fault %s verifies and says so: comparing is the order’s business',
    async (kind, payment) => {
      const { outTradeNo } = await placed(world)
      await world.platform.pay(outTradeNo, { silent: true })
      world.platform.faults.add({ kind, at: 'query', outTradeNo })
      expect(await world.payments.queryOrder(outTradeNo)).toMatchObject({ state: 'paid', payment })
    },
  )

  it('that never comes ends in time also when memory is cleaned up meanwhile', async () => {
    const { outTradeNo } = await placed(world)
    world.platform.faults.add({ kind: 'delay', at: 'query', ms: 20_000 })
    const cleaning = setInterval(collectGarbage, 100)
    const asked = world.payments.queryOrder(outTradeNo, new AbortController().signal)
    await expect(asked).rejects.toMatchObject({ reason: 'timeout' })
    clearInterval(cleaning)
  })

  it('is not waited for by a caller who gave up', async () => {
    const { outTradeNo } = await placed(world)
    world.platform.faults.add({ kind: 'delay', at: 'query', ms: 5_000, times: 1 })
    const asked = world.payments.queryOrder(outTradeNo, AbortSignal.timeout(50))
    await expect(asked).rejects.toMatchObject({ reason: 'timeout' })
  })
})

describe('a notification', () => {
  const refused: [FaultKind, string][] = [
    ['probe', 'probe'],
    ['wrong_key', 'bad_signature'],
    ['corrupt_byte', 'bad_signature'],
    ['unknown_serial', 'unknown_serial'],
    ['clock_skew', 'stale'],
  ]

  it.each(refused)('with the fault %s is refused as %s; its repeat is read', async (kind, reason) => {
    const { outTradeNo } = await placed(world)
    world.platform.faults.add({ kind, at: 'notification', times: 1 })
    const [delivery] = await world.platform.pay(outTradeNo)
    expect(delivery?.status).toBe(401)
    expect(world.merchant.refused.at(-1)).toMatchObject({ reason })
    await expect.poll(() => world.merchant.read).toHaveLength(1)
    expect(world.merchant.read[0]?.id).toBe(delivery?.notificationId)
  })

  it('that is dropped comes again on the schedule, and stays lost when every one is dropped', async () => {
    const first = await placed(world)
    world.platform.faults.add({ kind: 'drop', at: 'notification', times: 1 })
    await world.platform.pay(first.outTradeNo)
    await expect.poll(() => world.merchant.read).toHaveLength(1)

    const second = await placed(world)
    world.platform.faults.add({ kind: 'drop', at: 'notification', outTradeNo: second.outTradeNo })
    await world.platform.pay(second.outTradeNo)
    const lost = () => world.platform.deliveries.filter(({ outTradeNo }) => outTradeNo === second.outTradeNo)
    await expect.poll(() => lost().length).toBeGreaterThan(2)
    expect(lost().every(({ status }) => status === null)).toBe(true)
    expect(await world.payments.queryOrder(second.outTradeNo)).toMatchObject({ state: 'paid' })
  })

  it('can come twice at the same time', async () => {
    const { outTradeNo } = await placed(world)
    world.platform.faults.add({ kind: 'duplicate', at: 'notification', times: 1 })
    await world.platform.pay(outTradeNo)
    const ids = world.merchant.read.map(({ id }) => id)
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  describe('can be overtaken by the next one', () => {
    // Real time, so that what is held goes after the next one and not because its while is over.
    beforeEach(() => world.platform.setScheduleSpeed(1))
    afterEach(() => world.platform.setScheduleSpeed(SCHEDULE_SPEED))
    const statusesOf = ({ outTradeNo }: { outTradeNo: string }) =>
      world.platform.deliveries.filter((one) => one.outTradeNo === outTradeNo).map(({ status }) => status)

    it('and comes after it', async () => {
      const [first, second] = [await placed(world), await placed(world)]
      world.platform.faults.add({ kind: 'reorder', at: 'notification', times: 1 })
      await world.platform.pay(first.outTradeNo)
      await world.platform.pay(second.outTradeNo)
      const order = world.merchant.read.map((read) => read.kind === 'payment' && read.payment.outTradeNo)
      expect(order).toEqual([second.outTradeNo, first.outTradeNo])
    })

    it('and comes again on the schedule when nobody took it', async () => {
      const [first, second] = [await placed(world), await placed(world)]
      const once = { at: 'notification', times: 1 } as const
      world.platform.faults.add({ kind: 'reorder', ...once }, { kind: 'wrong_key', ...once })
      await world.platform.pay(first.outTradeNo)
      world.platform.setScheduleSpeed(SCHEDULE_SPEED)
      await world.platform.pay(second.outTradeNo)
      await expect.poll(() => statusesOf(first)).toEqual([401, 204])
    })

    it('and comes after a while when there is no next one', async () => {
      const alone = await placed(world)
      world.platform.faults.add({ kind: 'reorder', at: 'notification', times: 1 })
      world.platform.setScheduleSpeed(SCHEDULE_SPEED)
      expect(await world.platform.pay(alone.outTradeNo)).toEqual([])
      await expect.poll(() => statusesOf(alone)).toEqual([204])
    })
  })

  it.each([
    ['wrong_amount', { amountFen: 7901 }],
    ['wrong_currency', { currency: 'USD' }],
    ['wrong_app_id', { outTradeNo: expect.any(String) }],
    ['wrong_mch_id', { outTradeNo: expect.any(String) }],
  ] as const)('with the fault %s is read as the platform wrote it', async (kind, payment) => {
    const { outTradeNo } = await placed(world)
    world.platform.faults.add({ kind, at: 'notification', times: 1 })
    await world.platform.pay(outTradeNo)
    const id = world.platform.deliveries.findLast((one) => one.outTradeNo === outTradeNo)?.notificationId
    const read = world.merchant.read.find((one) => one.id === id)
    expect(read).toMatchObject({ kind: 'payment', payment })
    if (read?.kind !== 'payment') throw new Error('not a payment')
    expect(read.payment.appId === world.payments.appId).toBe(kind !== 'wrong_app_id')
    expect(read.payment.mchId === world.payments.mchId).toBe(kind !== 'wrong_mch_id')
  })

  it('is repeated after failures with the same id and a new signature', async () => {
    const { outTradeNo } = await placed(world)
    world.merchant.failNext(3)
    await world.platform.pay(outTradeNo)
    const of = () => world.platform.deliveries.filter((one) => one.outTradeNo === outTradeNo)
    await expect.poll(() => of().map(({ status }) => status)).toEqual([500, 500, 500, 204])
    const deliveries = of()
    expect(new Set(deliveries.map(({ notificationId }) => notificationId)).size).toBe(1)
    expect(new Set(deliveries.map(({ headers }) => headers['Wechatpay-Nonce'])).size).toBe(4)
  })
})

describe('a payment', () => {
  it('can be late, after the order was closed', async () => {
    const { outTradeNo } = await placed(world)
    await world.payments.closeOrder(outTradeNo)
    await expect(world.platform.pay(outTradeNo)).rejects.toThrow('订单已关闭')
    await world.platform.pay(outTradeNo, { late: true })
    expect(await world.payments.queryOrder(outTradeNo)).toMatchObject({ state: 'paid' })
  })

  it('can be made twice, with two transactions', async () => {
    const { outTradeNo } = await placed(world)
    await world.platform.pay(outTradeNo)
    await expect(world.platform.pay(outTradeNo)).rejects.toThrow('该订单已支付')
    await world.platform.pay(outTradeNo, { again: true })
    const ids = world.merchant.read.map((read) => read.kind === 'payment' && read.payment.transactionId)
    expect(new Set(ids).size).toBe(2)
    expect(new Set(world.merchant.read.map(({ id }) => id)).size).toBe(2)
  })
})

describe('the switches over HTTP', () => {
  const post = async (path: string, body: unknown) => {
    const response = await fetch(world.platform.url + path, { method: 'POST', body: JSON.stringify(body) })
    return { status: response.status, body: await response.json() }
  }

  it('inject faults, hand out login codes and press "pay" for the phone', async () => {
    const order = await placed(world)
    const { prepayId } = await world.payments.prepay(order)
    expect(await post('/sandbox/weather', [{ kind: 'drop', at: 'notification', times: 1 }])).toMatchObject({
      status: 200,
    })
    expect(world.platform.faults.rules).toHaveLength(1)
    expect(await post('/sandbox/weather', [{ kind: 'sunshine' }])).toMatchObject({ status: 400 })
    expect((await post('/sandbox/login-code', { openid: 'oSomebody' })).body).toMatchObject({
      code: expect.any(String),
    })

    const params = await world.payments.paymentParams(prepayId)
    const stranger = await post('/sandbox/request-payment', { params, openid: 'oStranger' })
    expect(stranger).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('requestPayment:fail') },
    })
    const paid = await post('/sandbox/request-payment', { params, openid: order.payerOpenid })
    expect(paid).toMatchObject({ status: 200, body: [{ status: null }] })
    expect(await post('/sandbox/nothing', {})).toMatchObject({ status: 404 })
  })
})
