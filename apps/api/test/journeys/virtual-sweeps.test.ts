import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { doDueJobs } from '../world/do-jobs.ts'
import { codeOf, type Phone } from '../world/phone.ts'
import { setSetting } from '../world/set-setting.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { numberIn, openVirtualShop } from '../world/virtual-shop.ts'
import { alertsOf } from '../world/watch.ts'

const world = useTestWorld()
let phone: Phone
beforeAll(() => openVirtualShop(world))
beforeEach(async () => {
  phone = await world.phone()
  world.platform.faults.clear()
})

const silent = { silent: true } as const
const opens = (params: Parameters<typeof world.platform.openSheet>[0]) =>
  world.platform.openSheet(params, { openid: phone.openid, system: 'android' })
const standing = async (outTradeNo: string) => {
  const [order] = await world.query<Record<string, unknown>>(
    'SELECT status, late, parked, confirmed_by FROM orders WHERE out_trade_no = $1',
    [outTradeNo],
  )
  return order
}
const attemptsOf = (outTradeNo: string) =>
  world.query<{ number: string; state: string }>(
    `SELECT a.number, a.state FROM order_attempts a JOIN orders o ON o.id = a.order_id
     WHERE o.out_trade_no = $1 ORDER BY a.signed_at, a.number`,
    [outTradeNo],
  )
const cancels = (outTradeNo: string) =>
  phone.call(`/subscription/orders/${outTradeNo}/cancel`, { method: 'POST' })

describe('a push that never came', () => {
  test('is made up for by the sync of the phone, and the goods are confirmed there', async () => {
    const purchase = await phone.buysVirtually({ planCode: 'yearly' })
    await phone.paysVirtually(purchase, silent)
    const { order, subscription } = await phone.syncs(purchase.order.out_trade_no)
    expect([order.status, subscription.remaining_days]).toEqual(['paid', 365])
  })

  test('is made up for by the sweep, within seconds of the signature', async () => {
    const purchase = await phone.buysVirtually()
    await phone.paysVirtually(purchase, silent)
    await world.passTime({ seconds: 6 })
    await doDueJobs(world)
    expect(await standing(purchase.order.out_trade_no)).toMatchObject({
      status: 'paid',
      confirmed_by: 'sweep',
    })
  })

  test('is told as delivered after the sweep, again and again until the platform says so', async () => {
    const purchase = await phone.buysVirtually()
    const { out_trade_no: outTradeNo } = purchase.order
    await phone.paysVirtually(purchase, silent)
    await world.passTime({ seconds: 6 })
    await doDueJobs(world)
    const theirs = () => world.platform.virtual.orders.get(outTradeNo)?.status
    const told = () =>
      world.platform.requests.filter(
        ({ path, body }) => path.startsWith('/xpay/notify_provide_goods') && body.includes(outTradeNo),
      ).length
    await doDueJobs(world)
    expect([theirs(), told()]).toEqual([4, 1])
    const slow = await phone.buysVirtually({ planCode: 'yearly' })
    await phone.paysVirtually(slow, silent)
    await phone.syncs(slow.order.out_trade_no)
    world.platform.faults.add({
      at: 'xpay',
      kind: 'error_before',
      outTradeNo: slow.order.out_trade_no,
      times: 3,
    })
    for (let turn = 0; turn < 4; turn += 1) {
      await doDueJobs(world)
      await world.passTime({ minutes: 3 })
    }
    expect(world.platform.virtual.orders.get(slow.order.out_trade_no)?.status).toBe(4)
  })

  test('of whichever attempt was paid', async () => {
    const first = await phone.buysVirtually({ key: 'key' })
    opens(first.payment_params)
    const second = await phone.buysVirtually({ key: 'key' })
    opens(second.payment_params)
    await world.platform.paySheet(numberIn(first), silent)
    const { order } = await phone.syncs(first.order.out_trade_no)
    expect(order.status).toBe('paid')
    expect(await attemptsOf(first.order.out_trade_no)).toEqual([
      { number: numberIn(first), state: 'paid' },
      { number: numberIn(second), state: 'open' },
    ])
  })
})

test('the word of the phone grants nothing: it is a question, and the answer decides', async () => {
  const { order, payment_params: params } = await phone.buysVirtually()
  opens(params)
  const says = { status: 'paid', paid: true, errMsg: 'requestVirtualPayment:ok', transaction_id: '42' }
  const path = `/subscription/orders/${order.out_trade_no}/sync`
  const asked = () =>
    world.platform.requests.filter(({ body }) => body.includes(`"order_id":"${order.out_trade_no}"`)).length
  const before = asked()
  const answer = await phone.call(path, { method: 'POST', body: says })
  expect(answer).toMatchObject({ status: 200, body: { order: { status: 'prepay' } } })
  expect(asked()).toBe(before + 1)
  expect((await phone.subscription()).is_active).toBe(false)
})

test('pushes and questions at the same time grant once', async () => {
  const purchase = await phone.buysVirtually()
  const { out_trade_no: outTradeNo } = purchase.order
  await phone.paysVirtually(purchase, silent)
  const push = () => world.platform.pushAgain(outTradeNo)
  const answers = await Promise.all([
    push(),
    phone.syncs(outTradeNo),
    push(),
    phone.syncs(outTradeNo),
    push(),
  ])
  for (const [delivery] of [answers[0], answers[2], answers[4]])
    expect(delivery).toMatchObject({ status: 200, answer: 'success' })
  expect((await phone.subscription()).remaining_days).toBe(30)
  expect(await standing(outTradeNo)).toMatchObject({ status: 'paid' })
})

describe('the platform', () => {
  test('whose access token has expired is asked again, once, and has answered', async () => {
    const purchase = await phone.buysVirtually()
    await phone.paysVirtually(purchase, silent)
    const from = world.platform.requests.length
    world.platform.faults.add({ at: 'xpay', kind: 'token_expired', times: 1 })
    const { order } = await phone.syncs(purchase.order.out_trade_no)
    expect(order.status).toBe('paid')
    const asked = world.platform.requests
      .slice(from)
      .filter(({ path }) => path.startsWith('/xpay/query_order'))
    const signed = asked.map(({ path, body }) => [
      new URLSearchParams(path.split('?')[1]).get('pay_sig'),
      body,
    ])
    expect(signed).toHaveLength(2)
    expect(signed[0]).toEqual(signed[1])
  })

  test('that fails leaves the order as it was: no error is ever "not paid"', async () => {
    const { order } = await phone.buysVirtually()
    opens((await phone.buysVirtually()).payment_params)
    world.platform.faults.add({ at: 'xpay', kind: 'error_before', status: 500 })
    const sync = await phone.call(`/subscription/orders/${order.out_trade_no}/sync`, { method: 'POST' })
    expect([sync.status, codeOf(sync)]).toEqual([502, 'payment_platform_error'])
    expect(codeOf(await cancels(order.out_trade_no))).toBe('payment_platform_error')
    world.platform.faults.clear()
    expect((await phone.order(order.out_trade_no)).status).toBe('prepay')
  })

  test('that fails for one attempt and calls another paid has said paid', async () => {
    const first = await phone.buysVirtually({ key: 'key' })
    opens(first.payment_params)
    const second = await phone.buysVirtually({ key: 'key' })
    await phone.paysVirtually(second, silent)
    world.platform.faults.add({ at: 'xpay', kind: 'error_before', status: 500, outTradeNo: numberIn(first) })
    expect((await phone.syncs(first.order.out_trade_no)).order.status).toBe('paid')
  })
})

describe('an order that was closed here', () => {
  test('is asked about first, so that a paid one is not cancelled', async () => {
    const purchase = await phone.buysVirtually()
    await phone.paysVirtually(purchase, silent)
    const answer = await cancels(purchase.order.out_trade_no)
    expect([answer.status, codeOf(answer)]).toEqual([409, 'order_already_paid'])
  })

  test('may be paid while its sheet is open: found within 72 h, and judged by its success time', async () => {
    const purchase = await phone.buysVirtually()
    const { out_trade_no: outTradeNo } = purchase.order
    opens(purchase.payment_params)
    expect((await cancels(outTradeNo)).body).toMatchObject({ order: { status: 'closed' } })
    await world.platform.paySheet(outTradeNo, silent)
    await world.passTime({ minutes: 2 })
    await doDueJobs(world)
    expect(await standing(outTradeNo)).toMatchObject({ status: 'paid', late: false, confirmed_by: 'sweep' })
    expect((await phone.subscription()).is_active).toBe(true)
  })

  test('and paid after its time by an iPhone is parked under the policy refund, which Apple does not know', async () => {
    await setSetting(world, 'late_payment_policy', 'refund')
    const purchase = await phone.buysVirtually({ system: 'ios' })
    const { out_trade_no: outTradeNo } = purchase.order
    world.platform.openSheet(purchase.payment_params, { openid: phone.openid, system: 'ios' })
    await world.passTime({ minutes: 31 })
    await doDueJobs(world)
    expect(await standing(outTradeNo)).toMatchObject({ status: 'closed' })
    await world.platform.paySheet(outTradeNo)
    expect(await standing(outTradeNo)).toMatchObject({ status: 'paid', late: true, parked: true })
    expect((await phone.subscription()).is_active).toBe(false)
    await setSetting(world, 'late_payment_policy', 'activate')
  })

  test('is not asked about once its payer is erased, and a push still says that it was paid', async () => {
    const purchase = await phone.buysVirtually()
    const { out_trade_no: outTradeNo } = purchase.order
    opens(purchase.payment_params)
    await cancels(outTradeNo)
    const erasure = { confirm: 'DELETE', code: world.platform.loginCode(phone.openid) }
    expect((await phone.call('/me', { method: 'DELETE', body: erasure })).status).toBe(204)
    const asked = () => world.platform.requests.filter(({ body }) => body.includes(outTradeNo)).length
    const before = asked()
    await world.passTime({ minutes: 2 })
    await doDueJobs(world)
    expect(asked()).toBe(before)
    expect(await attemptsOf(outTradeNo)).toEqual([{ number: outTradeNo, state: 'closed' }])
    const [delivery] = await world.platform.paySheet(outTradeNo)
    expect(delivery).toMatchObject({ status: 200 })
    expect(await standing(outTradeNo)).toMatchObject({ status: 'paid' })
    expect(await attemptsOf(outTradeNo)).toEqual([{ number: outTradeNo, state: 'paid' }])
  })

  test('is not asked about for ever', async () => {
    const { order } = await phone.buysVirtually()
    await cancels(order.out_trade_no)
    for (const time of [
      { minutes: 2 },
      { hours: 1 },
      { hours: 12 },
      { hours: 30 },
      { hours: 40 },
      { hours: 40 },
    ]) {
      await world.passTime(time)
      for (let turn = 0; turn < 12; turn += 1) await doDueJobs(world)
      await world.passTime({ minutes: 1 })
    }
    for (let day = 0; day < 8; day += 1) {
      await world.passTime({ hours: 25 })
      await doDueJobs(world)
    }
    expect(await attemptsOf(order.out_trade_no)).toEqual([{ number: order.out_trade_no, state: 'closed' }])
  })
})

test('a second attempt that is paid in silence is found by the watch, and told', async () => {
  const first = await phone.buysVirtually({ key: 'key' })
  opens(first.payment_params)
  const second = await phone.buysVirtually({ key: 'key' })
  await phone.paysVirtually(second)
  await world.platform.paySheet(numberIn(first), silent)
  await world.passTime({ minutes: 2 })
  await doDueJobs(world)
  expect((await attemptsOf(first.order.out_trade_no)).map(({ state }) => state).sort()).toEqual([
    'paid',
    'second',
  ])
  expect(await alertsOf(world, 'second_transaction')).toMatchObject([{ subject: first.order.out_trade_no }])
})

test('a paid order is watched while it is parked, and after somebody decided', async () => {
  await setSetting(world, 'late_payment_policy', 'ask')
  const first = await phone.buysVirtually({ key: 'parked' })
  const { out_trade_no: outTradeNo } = first.order
  opens(first.payment_params)
  const second = await phone.buysVirtually({ key: 'parked' })
  opens(second.payment_params)
  await world.passTime({ minutes: 31 })
  await doDueJobs(world)
  await world.platform.paySheet(numberIn(second))
  expect(await standing(outTradeNo)).toMatchObject({ status: 'paid', parked: true })
  await world.passTime({ minutes: 2 })
  await doDueJobs(world)
  await world.platform.paySheet(numberIn(first), silent)
  await world.passTime({ minutes: 5 })
  await doDueJobs(world)
  const states = (await attemptsOf(outTradeNo)).map(({ state }) => state)
  expect(states.sort()).toEqual(['paid', 'second'])
  expect(await standing(outTradeNo)).toMatchObject({ status: 'paid', parked: true })
  await setSetting(world, 'late_payment_policy', 'activate')
})

test('a new purchase closes the older order of its buyer, whatever its channel', async () => {
  const older = await phone.buysVirtually({ planCode: 'monthly' })
  await world.passTime({ seconds: 30 })
  await phone.buysVirtually({ planCode: 'yearly' })
  await doDueJobs(world)
  expect(await standing(older.order.out_trade_no)).toMatchObject({ status: 'closed' })
})
