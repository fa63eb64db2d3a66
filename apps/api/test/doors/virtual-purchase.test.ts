import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { doDueJobs } from '../world/do-jobs.ts'
import { codeOf, type Phone, VirtualPurchase } from '../world/phone.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { numberIn, openVirtualShop, setPolicy } from '../world/virtual-shop.ts'
import { alertsOf, look } from '../world/watch.ts'

const world = useTestWorld()
let phone: Phone
beforeAll(() => openVirtualShop(world))
beforeEach(async () => {
  await setPolicy(world, { ios: 'virtual', android: 'virtual', other: 'virtual' })
  phone = await world.phone()
})

const android = { system: 'android' } as const
const opened = ({ payment_params }: VirtualPurchase, system: 'android' | 'ios' = 'android') =>
  world.platform.openSheet(payment_params, { openid: phone.openid, system })
const exchanges = () =>
  world.platform.requests.filter(({ path }) => path.startsWith('/sns/jscode2session')).length

test('what is signed is sent as it was signed, by the key of its environment and the session of its buyer', async () => {
  const purchase = await phone.buysVirtually({ planCode: 'yearly', key: 'key' })
  const { order, payment_params: params } = purchase
  expect(order).toMatchObject({ status: 'prepay', channel: 'virtual', amount_fen: 26_800 })
  expect(params.signData).toBe(
    `{"offerId":"${world.platform.virtual.keys.offerId}","buyQuantity":1,"env":0,"currencyType":"CNY",` +
      `"productId":"yearly","goodsPrice":26800,"outTradeNo":"${order.out_trade_no}","attach":"${order.out_trade_no}"}`,
  )
  expect(opened(purchase)).toMatchObject({ number: order.out_trade_no, amountFen: 26_800 })
})

test('a repeat within ten seconds is the same order and the same answer, and its code is not exchanged', async () => {
  const first = await phone.virtualAnswer({ key: 'key' })
  const before = exchanges()
  const again = await phone.virtualAnswer({ key: 'key' })
  expect([first.status, again.status]).toEqual([201, 200])
  expect(VirtualPurchase.parse(again.body).payment_params).toEqual(
    VirtualPurchase.parse(first.body).payment_params,
  )
  expect(exchanges()).toBe(before)
})

test('two taps at once make one order and one number', async () => {
  const taps = await Promise.all([phone.virtualAnswer(), phone.virtualAnswer()])
  const [one, other] = taps.map(({ body }) => VirtualPurchase.parse(body))
  expect(one?.order.out_trade_no).toBe(other?.order.out_trade_no)
  expect(one && numberIn(one)).toBe(other && numberIn(other))
})

test('two repeats at once that need a further number are given one, the same', async () => {
  opened(await phone.buysVirtually({ key: 'key' }))
  const repeats = await Promise.all([
    phone.virtualAnswer({ key: 'key' }),
    phone.virtualAnswer({ key: 'key' }),
  ])
  expect(repeats.map(({ status }) => status)).toEqual([200, 200])
  const [one, other] = repeats.map(({ body }) => numberIn(VirtualPurchase.parse(body)))
  expect(one).toBe(other)
})

test('a number that a sheet was opened for is not signed again: the next call signs another of the same order', async () => {
  const first = await phone.buysVirtually({ key: 'key' })
  opened(first)
  const second = await phone.buysVirtually({ key: 'key' })
  expect(second.order.out_trade_no).toBe(first.order.out_trade_no)
  expect(numberIn(second)).not.toBe(numberIn(first))
  await phone.paysVirtually(second)
  expect(await phone.order(first.order.out_trade_no)).toMatchObject({ status: 'paid' })
})

test('after ten seconds another number is signed, whether or not the sheet was opened', async () => {
  const first = await phone.buysVirtually({ key: 'key' })
  await world.passTime({ seconds: 11 })
  const second = await phone.buysVirtually({ key: 'key' })
  expect(second.order.out_trade_no).toBe(first.order.out_trade_no)
  expect(numberIn(second)).toMatch(/^M[0-9A-Z]{26}$/)
  expect(numberIn(second)).not.toBe(numberIn(first))
})

test('who comes again after paying in silence is told so, and signs nothing', async () => {
  const purchase = await phone.buysVirtually({ key: 'key' })
  await phone.paysVirtually(purchase, { silent: true })
  await world.passTime({ seconds: 11 })
  const answer = await phone.virtualAnswer({ key: 'key' })
  expect([answer.status, codeOf(answer)]).toEqual([409, 'order_already_paid'])
  expect(await phone.order(purchase.order.out_trade_no)).toMatchObject({ status: 'paid' })
})

test('an order keeps item and price of its making, and nothing in the request names others', async () => {
  const first = await phone.buysVirtually({ key: 'key' })
  opened(first)
  await world.query(`UPDATE plans SET price_fen = 100, virtual_product_id = 'other' WHERE code = 'monthly'`)
  const more = { amount_fen: 1, price_fen: 1, product_id: 'other', buyQuantity: 2, goodsPrice: 1, env: 1 }
  const second = await phone.buysVirtually({ key: 'key', more })
  await world.query(`UPDATE plans SET price_fen = 2900, virtual_product_id = code WHERE code = 'monthly'`)
  const { outTradeNo, attach, ...signed } = JSON.parse(second.payment_params.signData)
  const { outTradeNo: _, attach: __, ...before } = JSON.parse(first.payment_params.signData)
  expect(signed).toEqual(before)
  expect(signed).toMatchObject({ goodsPrice: 2900, productId: 'monthly', buyQuantity: 1, env: 0 })
  expect(signed).not.toHaveProperty('activitySellingPrice')
  expect(second.order).toMatchObject({ out_trade_no: first.order.out_trade_no, amount_fen: 2900 })
})

describe('the login code', () => {
  test('is required by the channel, and missing it stores no order', async () => {
    const answer = await phone.call('/subscription/purchase', {
      method: 'POST',
      body: { plan_code: 'monthly', channels: ['virtual'] },
    })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'login_code' }] } })
    expect((await phone.call('/subscription/orders')).body).toMatchObject({ items: [] })
  })

  test('that does not hold leaves the order, which the next call signs under its own number', async () => {
    const refused = await phone.virtualAnswer({ key: 'key', loginCode: 'no-such-code' })
    expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_login_code'])
    const purchase = await phone.buysVirtually({ key: 'key' })
    expect(numberIn(purchase)).toBe(purchase.order.out_trade_no)
    expect(refused.body).toMatchObject({ out_trade_no: purchase.order.out_trade_no })
  })

  test('of somebody else signs nothing, and is no failure of the platform', async () => {
    const refused = await phone.virtualAnswer({ loginCode: world.platform.loginCode('oSomebodyElse') })
    expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_login_code'])
    for (const _ of [1, 2]) await (await world.phone()).virtualAnswer({ loginCode: 'no-such-code' })
    await look(world)
    expect(await alertsOf(world, 'prepay_failing')).toEqual([])
  })

  test('that cannot be exchanged is a failure of the platform, and the order waits', async () => {
    world.platform.faults.add({ at: 'mini_program', kind: 'error_before', status: 500, times: 1 })
    const refused = await phone.virtualAnswer({ key: 'key' })
    expect([refused.status, codeOf(refused)]).toEqual([502, 'payment_platform_error'])
    expect(await phone.virtualAnswer({ key: 'key' })).toMatchObject({ status: 200 })
  })
})

describe('the policy', () => {
  test('refuses a client that cannot pay by the channel, and never takes the other', async () => {
    const answer = await phone.purchaseAnswer('monthly')
    expect([answer.status, codeOf(answer)]).toEqual([409, 'channel_not_supported'])
    await setPolicy(world, { android: 'jsapi' })
    const other = await phone.virtualAnswer({ more: { channels: ['virtual'] } })
    expect([other.status, codeOf(other)]).toEqual([409, 'channel_not_supported'])
    const none = await phone.virtualAnswer({ more: { channels: [] } })
    expect([none.status, codeOf(none)]).toEqual([400, 'invalid_request'])
  })

  test.each(['jsapi', 'virtual'] as const)(
    'refuses the repeat of a %s order to such a client too',
    async (channel) => {
      await setPolicy(world, { android: channel })
      expect(await phone.virtualAnswer({ key: 'key' })).toMatchObject({ status: 201 })
      const other = channel === 'jsapi' ? 'virtual' : 'jsapi'
      const answer = await phone.virtualAnswer({ key: 'key', more: { channels: [other] } })
      expect([answer.status, codeOf(answer)]).toEqual([409, 'channel_not_supported'])
      expect(await phone.virtualAnswer({ key: 'key' })).toMatchObject({ status: 200 })
    },
  )

  test('is told with the plans, and sells only what has an item, on iPhones from a yuan on', async () => {
    await world.query(`UPDATE plans SET virtual_product_id = NULL WHERE code = 'quarterly'`)
    await world.query(`UPDATE plans SET price_fen = 99 WHERE code = 'monthly'`)
    const plansOf = async (system: string) => {
      const { body } = await phone.call('/subscription/plans', { headers: { 'x-client-platform': system } })
      return body
    }
    expect(await plansOf('android')).toMatchObject({
      plans: [{ code: 'monthly' }, { code: 'yearly' }],
      sale: { allowed: true, channel: 'virtual', message: null },
    })
    expect(await plansOf('ios')).toMatchObject({ plans: [{ code: 'yearly' }] })
    expect(codeOf(await phone.virtualAnswer({ planCode: 'quarterly' }))).toBe('plan_not_found')
    expect(codeOf(await phone.virtualAnswer({ planCode: 'monthly', system: 'ios' }))).toBe('plan_not_found')
    await setPolicy(world, { ios: 'none' })
    expect(await plansOf('ios')).toMatchObject({ sale: { allowed: false, channel: null } })
    expect(codeOf(await phone.virtualAnswer({ system: 'ios' }))).toBe('sale_not_allowed')
    await world.query(`UPDATE plans SET virtual_product_id = code`)
    await world.query(`UPDATE plans SET price_fen = 2900 WHERE code = 'monthly'`)
  })

  test('of before keeps an order: its key is asked about, closed, and answered so', async () => {
    await setPolicy(world, { android: 'jsapi' })
    const first = await phone.virtualAnswer({ key: 'key' })
    expect(first.body).toMatchObject({ order: { channel: 'jsapi' }, payment_params: { signType: 'RSA' } })
    await setPolicy(world, { android: 'virtual' })
    const answer = await phone.virtualAnswer({ key: 'key' })
    expect([answer.status, codeOf(answer)]).toEqual([409, 'order_closed'])
    expect(await phone.virtualAnswer({ key: 'another' })).toMatchObject({ status: 201 })
  })

  test('that is switched while a sheet is open loses no payment', async () => {
    const purchase = await phone.buysVirtually({ key: 'key' })
    opened(purchase)
    await setPolicy(world, { android: 'jsapi' })
    const other = await phone.virtualAnswer({ key: 'key' })
    expect(codeOf(other)).toBe('order_closed')
    await world.platform.paySheet(numberIn(purchase))
    expect(await phone.order(purchase.order.out_trade_no)).toMatchObject({ status: 'paid' })
    expect((await phone.subscription()).is_active).toBe(true)
  })
})

describe('what the sheet failed with', () => {
  const syncs = (outTradeNo: string, sheet_error: object) =>
    phone.call(`/subscription/orders/${outTradeNo}/sync`, { method: 'POST', body: { sheet_error } })

  test('a price that differs is an alert about the plan, once', async () => {
    world.platform.plantItem({ id: 'monthly', priceFen: 2_000 })
    const purchase = await phone.buysVirtually()
    expect(() => opened(purchase)).toThrow('GOODS_PRICE_INVALID')
    const { out_trade_no: outTradeNo } = purchase.order
    for (const _ of [1, 2]) await syncs(outTradeNo, { code: -15013, number: outTradeNo })
    expect(await alertsOf(world, 'virtual_price_differs')).toMatchObject([
      {
        subject: 'monthly',
        times: 1,
        detail: { order: outTradeNo, product_id: 'monthly', amount_fen: 2900 },
      },
    ])
    world.platform.plantItem({ id: 'monthly', priceFen: 2_900 })
  })

  test.each([
    [-15001, 'offer'],
    [-15006, 'app_key'],
    [-15008, 'onboarding'],
    [-15010, 'item'],
    [-15011, 'environment'],
    [-15017, 'restricted'],
    [-15018, 'item_review'],
    [-15021, 'rate_limit'],
  ])('%i, which stops every buyer, is an alert once: %s', async (code, subject) => {
    const { order } = await phone.buysVirtually()
    for (const _ of [1, 2]) await syncs(order.out_trade_no, { code, number: order.out_trade_no })
    const told = (await alertsOf(world, 'virtual_payment_refused')).filter((one) => one.subject === subject)
    expect(told).toMatchObject([
      { times: 1, detail: { order: order.out_trade_no, product_id: 'monthly', code: String(code) } },
    ])
  })

  const signsAnotherAfter = async (code: number) => {
    const first = await phone.buysVirtually({ key: 'key' })
    const { out_trade_no: outTradeNo } = first.order
    expect(await syncs(outTradeNo, { code, number: outTradeNo })).toMatchObject({ status: 200 })
    expect(numberIn(await phone.buysVirtually({ key: 'key' }))).not.toBe(outTradeNo)
  }

  test('a used number ends the attempt: the next call signs another at once', () => signsAnotherAfter(-15002))

  test.each([-15003, -15005, -15007, -15012])(
    '%i, which another number or session cures, does so too',
    (code) => signsAnotherAfter(code),
  )

  test('what is no code of the sheet, or of another order, leaves nothing', async () => {
    const { order } = await phone.buysVirtually()
    await syncs(order.out_trade_no, { code: -77, number: order.out_trade_no })
    await syncs(order.out_trade_no, { code: -15013, number: 'M00000000000000000000000000' })
    const kinds = await world.query<{ kind: string }>(
      `SELECT kind FROM order_events e JOIN orders o ON o.id = e.order_id WHERE o.out_trade_no = $1`,
      [order.out_trade_no],
    )
    expect(kinds.map(({ kind }) => kind)).not.toContain('sheet_error')
    expect(await syncs(order.out_trade_no, { code: 'x' })).toMatchObject({ status: 400 })
  })
})

test('the answer that may be given again is gone once the order is paid', async () => {
  const outTradeNo = await phone.buysAndPaysVirtually({ ...android })
  await doDueJobs(world)
  expect(await world.query(`SELECT params FROM order_attempts WHERE number = $1`, [outTradeNo])).toEqual([
    { params: null },
  ])
})
