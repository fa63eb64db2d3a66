import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { receiveNotification } from '../../src/payments/receive-notification.ts'
import { inTransaction } from '../../src/platform/sql/transaction.ts'
import { doDueJobs } from '../world/do-jobs.ts'
import type { Phone } from '../world/phone.ts'
import { untilWaiting } from '../world/until-waiting.ts'
import { useTestWorld } from '../world/use-opened.ts'
import { numberIn, openVirtualShop } from '../world/virtual-shop.ts'
import { alertsOf } from '../world/watch.ts'

const logged: string[] = []
const world = useTestWorld({ log: (line) => logged.push(line) })
let phone: Phone
beforeAll(() => openVirtualShop(world))
beforeEach(async () => {
  phone = await world.phone()
  world.platform.faults.clear()
})

const address = () => `${world.url}/api/v1/wechat/push`
type Posted = { url: string; headers: Record<string, string>; body: string }

async function post({ url, headers, body }: Posted) {
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

const deliveryOf = (number: string, changes: object = {}) => ({
  Event: 'xpay_goods_deliver_notify',
  OpenId: phone.openid,
  OutTradeNo: number,
  Env: 0,
  WeChatPayInfo: {
    MchOrderNo: 'm',
    TransactionId: `42000${number.slice(1, 20)}`,
    PaidTime: Math.floor(Date.now() / 1000),
  },
  GoodsInfo: { ProductId: 'monthly', Quantity: 1, OrigPrice: 2900, ActualPrice: 2900, Attach: number },
  ...changes,
})
const pushes = (event: object) => post(world.platform.push({ ...event }))
const goods = (number: string, changes: object) => ({
  GoodsInfo: {
    ProductId: 'monthly',
    Quantity: 1,
    OrigPrice: 2900,
    ActualPrice: 2900,
    Attach: number,
    ...changes,
  },
})
/** How many pushes of this kind were counted. */
async function countedPushes(kind: 'payment' | 'probe' | 'unknown'): Promise<number> {
  const text = await world.metrics.registry.metrics()
  return Number(new RegExp(`^meridian_pushes_total\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

const statusOf = async (outTradeNo: string) => (await phone.order(outTradeNo)).status
const inboxOf = (number: string) =>
  world.query<{ id: string; outcome: string; deliveries: number }>(
    `SELECT id, outcome, deliveries FROM notifications WHERE out_trade_no = $1 ORDER BY first_at, id`,
    [number],
  )

describe('the address', () => {
  test('is shown to be ours by the text that the platform sent', async () => {
    const { url } = world.platform.push({ Event: 'any' })
    const { searchParams } = new URL(url)
    searchParams.set('echostr', '4375120948345356249')
    const answer = await fetch(`${address()}?${searchParams}`)
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '4375120948345356249',
    ])
    searchParams.set('signature', '0'.repeat(40))
    const forged = await fetch(`${address()}?${searchParams}`)
    expect([forged.status, await forged.json()]).toEqual([401, { ErrCode: 1, ErrMsg: 'signature refused' }])
  })

  test('answers no failure with an empty body', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const answer = await fetch(address(), { method })
      expect([method, answer.status, await answer.json()]).toEqual([
        method,
        405,
        { ErrCode: 1, ErrMsg: 'method not allowed' },
      ])
    }
    const long = await post({
      url: address(),
      headers: { 'content-type': 'text/xml' },
      body: 'x'.repeat(65_537),
    })
    expect([long.status, JSON.parse(long.text)]).toEqual([413, { ErrCode: 1, ErrMsg: 'too large' }])
    const bare = await fetch(address(), { method: 'POST' })
    expect([bare.status, await bare.json()]).toEqual([401, { ErrCode: 1, ErrMsg: 'signature refused' }])
  })
})

describe('a push', () => {
  test.each(['json', 'xml'] as const)(
    'in %s activates the order, and success is its answer',
    async (format) => {
      world.platform.usePush({ url: address(), format })
      const purchase = await phone.buysVirtually()
      const [delivery] = await phone.paysVirtually(purchase)
      expect(delivery).toMatchObject({ status: 200 })
      expect(await statusOf(purchase.order.out_trade_no)).toBe('paid')
      world.platform.usePush({ url: address() })
    },
  )

  test('that is repeated, at once and later, grants once and is answered success each time', async () => {
    const { order } = await phone.buysVirtually()
    const push = deliveryOf(order.out_trade_no)
    const answers = await Promise.all([pushes(push), pushes(push), pushes(push)])
    expect(answers).toEqual(
      Array(3).fill({ status: 200, type: 'text/plain; charset=utf-8', text: 'success' }),
    )
    expect(await pushes(push)).toMatchObject({ status: 200, text: 'success' })
    expect((await phone.subscription()).remaining_days).toBe(30)
    expect(await inboxOf(order.out_trade_no)).toMatchObject([{ outcome: 'applied', deliveries: 4 }])
  })

  test.each([
    ['another amount', (number: string) => goods(number, { ActualPrice: 2901 }), 'amountFen'],
    ['another item', (number: string) => goods(number, { ProductId: 'yearly' }), 'productId'],
    ['two of them', (number: string) => goods(number, { Quantity: 2 }), 'quantity'],
    ['another environment', () => ({ Env: 1 }), 'env'],
    ['an attachment of another number', (number: string) => goods(number, { Attach: 'M0' }), 'attach'],
  ])('of %s never grants, is refused and told', async (_what, changesOf, field) => {
    const { order } = await phone.buysVirtually()
    const number = order.out_trade_no
    const answer = await pushes(deliveryOf(number, changesOf(number)))
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      409,
      { ErrCode: 1, ErrMsg: 'does not match the order' },
    ])
    expect(await statusOf(number)).toBe('prepay')
    const [alert] = (await alertsOf(world, 'payment_mismatch')).filter(({ subject }) => subject === number)
    expect(alert?.detail['fields']).toEqual([field])
    expect(await pushes(deliveryOf(number))).toMatchObject({ status: 200 })
    expect(await statusOf(number)).toBe('paid')
  })

  test('that does not fit, and the true one beside it in another process, never wait for each other', async () => {
    const { virtual, database } = world.services
    if (!virtual) throw new Error('the channel is on')
    /** As a process of its own would: nothing in this one holds the two apart. */
    const taken = async (event: object, requestId: string) => {
      const { url, body: text } = world.platform.push({ ...event })
      const [headers, body] = [Object.fromEntries(new URL(url).searchParams), Buffer.from(text)]
      const { offerId: mchId, env } = virtual
      const by = { confirmedBy: 'notification', requestId, mchId, env } as const
      const notification = virtual.readPush(headers, body)
      return receiveNotification(world.services, { headers, body, notification }, by)
    }
    const { order } = await phone.buysVirtually()
    const number = order.out_trade_no
    const both = await inTransaction(database.pool, async (holder) => {
      await holder.query('SELECT FROM orders WHERE out_trade_no = $1 FOR UPDATE', [number])
      const right = taken(deliveryOf(number), 'true')
      await untilWaiting(world, 1)
      const wrong = taken(deliveryOf(number, goods(number, { ActualPrice: 2901 })), 'wrong')
      await untilWaiting(world, 2)
      return { right, wrong }
    })
    expect(await both.right).toBe('applied')
    expect(await both.wrong).toBe('mismatch')
  })

  test('of another payer pays, and is flagged', async () => {
    const { order } = await phone.buysVirtually()
    expect(await pushes(deliveryOf(order.out_trade_no, { OpenId: 'oSomebodyElse' }))).toMatchObject({
      status: 200,
    })
    expect(
      await world.query('SELECT status, payer_differs FROM orders WHERE out_trade_no = $1', [
        order.out_trade_no,
      ]),
    ).toEqual([{ status: 'paid', payer_differs: true }])
  })

  test('of an iPhone carries no transaction, and pays all the same', async () => {
    const outTradeNo = await phone.buysAndPaysVirtually({ planCode: 'yearly', system: 'ios' })
    expect(
      await world.query(
        'SELECT transaction_id, paid_attempt_no, trade_type FROM orders WHERE out_trade_no = $1',
        [outTradeNo],
      ),
    ).toEqual([{ transaction_id: null, paid_attempt_no: outTradeNo, trade_type: 'APPLE' }])
    expect((await phone.subscription()).remaining_days).toBe(365)
  })

  test('that is forged, altered, of another app or in the clear moves nothing', async () => {
    const { order } = await phone.buysVirtually()
    const push = world.platform.push(deliveryOf(order.out_trade_no))
    const another = (_: string, letter: string) => `"Encrypt":"${letter === 'A' ? 'B' : 'A'}`
    const altered = { ...push, body: push.body.replace(/"Encrypt":"(.)/, another) }
    expect(await post(altered)).toMatchObject({ status: 401 })
    const clear = { ...push, body: JSON.stringify(deliveryOf(order.out_trade_no)) }
    expect(await post(clear)).toMatchObject({ status: 400 })
    const swapped = new URL(push.url)
    swapped.searchParams.set('msg_signature', swapped.searchParams.get('signature') ?? '')
    expect(await post({ ...push, url: String(swapped) })).toMatchObject({ status: 401 })
    world.platform.faults.add({ at: 'push', kind: 'wrong_app_id', times: 1 })
    const [foreign] = await world.platform.pushEvent(deliveryOf(order.out_trade_no))
    expect(foreign).toMatchObject({ status: 400 })
    expect(await statusOf(order.out_trade_no)).toBe('prepay')
  })
})

describe('a probe', () => {
  test('never grants, is answered success, and does not end the true push', async () => {
    const { order } = await phone.buysVirtually()
    const number = order.out_trade_no
    for (const probe of [{ IsMock: true }, { MiniGame: { IsMock: 'true' } }])
      expect(await pushes(deliveryOf(number, probe))).toMatchObject({ status: 200, text: 'success' })
    expect(await statusOf(number)).toBe('prepay')
    expect(await pushes(deliveryOf(number))).toMatchObject({ status: 200 })
    expect(await statusOf(number)).toBe('paid')
  })

  test('is what a number turns out to be that neither side knows: refused at first, then done', async () => {
    const push = deliveryOf('M0NOBODYKNOWS0000000000000')
    expect(await pushes(push)).toMatchObject({ status: 404 })
    expect(await pushes(push)).toMatchObject({ status: 404 })
    await doDueJobs(world)
    const before = [await countedPushes('payment'), await countedPushes('probe')]
    expect(await pushes(push)).toMatchObject({ status: 200, text: 'success' })
    expect([await countedPushes('payment'), (await countedPushes('probe')) - 1]).toEqual(before)
    expect(await inboxOf('M0NOBODYKNOWS0000000000000')).toMatchObject([{ outcome: 'ignored', deliveries: 3 }])
    expect(await alertsOf(world, 'order_unknown')).toEqual([])
  })

  test.each([
    ['paid', 'M0SOLDBYANOTHERSHOP0000000'],
    ['unpaid', 'M0OPENEDATANOTHERSHOP00000'],
  ])(
    'is no %s number that the platform knows: it stays refused, and somebody is told',
    async (state, number) => {
      const params = await world.services.virtual?.signPayment(
        { attemptNo: number, productId: 'monthly', amountFen: 2900 },
        { loginCode: world.platform.loginCode(phone.openid), openid: phone.openid },
      )
      if (!params) throw new Error('the channel is on')
      world.platform.openSheet(params, { openid: phone.openid, system: 'android' })
      if (state === 'paid') await world.platform.paySheet(number, { silent: true })
      expect(await pushes(deliveryOf(number))).toMatchObject({ status: 404 })
      await doDueJobs(world)
      expect(await pushes(deliveryOf(number))).toMatchObject({ status: 404 })
      const told = (await alertsOf(world, 'order_unknown')).filter(({ subject }) => subject === number)
      expect(told).toMatchObject([{ detail: { known: true } }])
    },
  )
})

test('a second attempt that is paid is refused, kept as a second payment, and never merged', async () => {
  const first = await phone.buysVirtually({ key: 'key' })
  world.platform.openSheet(first.payment_params, { openid: phone.openid, system: 'android' })
  const second = await phone.buysVirtually({ key: 'key' })
  await phone.paysVirtually(second)
  const [late] = await world.platform.paySheet(numberIn(first), { once: true })
  expect(late).toMatchObject({ status: 409 })
  expect((await phone.subscription()).remaining_days).toBe(30)
  expect(
    await world.query(
      `SELECT p.transaction_id, p.amount_fen, p.payer FROM second_payments p JOIN orders o ON o.id = p.order_id WHERE o.out_trade_no = $1`,
      [first.order.out_trade_no],
    ),
  ).toEqual([{ transaction_id: numberIn(first), amount_fen: 2900, payer: 'same' }])
  expect(await alertsOf(world, 'second_transaction')).toMatchObject([{ subject: first.order.out_trade_no }])
})

describe('what else the mini-program is told', () => {
  test('is answered success, counted, and kept nowhere', async () => {
    const before = await world.query('SELECT count(*)::int AS n FROM notifications')
    const counted = await countedPushes('unknown')
    expect(
      await pushes({ MsgType: 'text', Content: 'hello', Event: 'user_enter_tempsession' }),
    ).toMatchObject({ status: 200, text: 'success' })
    expect(await pushes({ Event: 'xpay_subscribe_signing_result_notify' })).toMatchObject({ status: 200 })
    expect(await world.query('SELECT count(*)::int AS n FROM notifications')).toEqual(before)
    expect(await countedPushes('unknown')).toBe(counted + 2)
  })

  test('a complaint is an alert with its order and both deadlines', async () => {
    const outTradeNo = await phone.buysAndPaysVirtually()
    const complaint = {
      Event: 'xpay_complaint_notify',
      OpenId: phone.openid,
      WxOrderId: 'w',
      MchOrderId: outTradeNo,
      ComplaintTime: 1_795_330_000,
      RequestId: 'r1',
    }
    expect(await pushes(complaint)).toMatchObject({ status: 200 })
    expect(await alertsOf(world, 'complaint_received')).toMatchObject([
      {
        subject: outTradeNo,
        detail: {
          attempt_no: outTradeNo,
          reply_due: new Date((1_795_330_000 + 24 * 3600) * 1000).toISOString(),
          solution_due: new Date((1_795_330_000 + 72 * 3600) * 1000).toISOString(),
        },
      },
    ])
  })

  test('a risk notice and coins, which we never sell, are told too', async () => {
    expect(
      await pushes({
        Event: 'xpay_wxpay_callback_notify',
        EventType: 'punishment',
        BusinessCode: 'B1',
        Remark: 'limited',
      }),
    ).toMatchObject({ status: 200 })
    expect(
      await pushes({
        Event: 'xpay_coin_pay_notify',
        OutTradeNo: 'C1',
        OpenId: 'o',
        CoinInfo: { Quantity: 1 },
      }),
    ).toMatchObject({ status: 200 })
    expect(await alertsOf(world, 'account_risk')).toMatchObject([{ subject: 'punishment' }])
    expect(await alertsOf(world, 'coins_paid')).toHaveLength(1)
  })

  test('what the platform signed and cannot be read is kept, refused and told', async () => {
    expect(await pushes({ Event: 'xpay_goods_deliver_notify', OutTradeNo: 'M1' })).toMatchObject({
      status: 400,
    })
    expect(await alertsOf(world, 'notification_unreadable')).toHaveLength(1)
  })
})

test('neither an openid nor a secret is logged', () => {
  const { appKeys, pushToken, pushAesKey } = world.platform.virtual.keys
  const text = logged.join('\n')
  expect(logged.length).toBeGreaterThan(20)
  for (const secret of [
    phone.openid,
    'oWECHAT',
    'msg_signature',
    ...Object.values(appKeys),
    pushToken,
    pushAesKey,
  ])
    expect(text).not.toContain(secret)
})
