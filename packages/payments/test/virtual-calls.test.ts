import { describe, expect, it } from 'vitest'
import { createMiniProgram, PaymentsError, systemRuntime, type VirtualSettings } from '../src/index.ts'
import { paySigOf, userSignatureOf } from '../src/virtual/signatures.ts'
import { failureOf } from './world/failure-of.ts'
import { failed } from './world/mini-program.ts'

const settings: VirtualSettings = {
  offerId: '1450000001',
  appKey: 'prodAppKey0123456789abcdefABCDEF',
  env: 0,
  pushToken: 'meridianPushToken01',
  pushAesKey: 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG',
}
const attempt = { attemptNo: 'M01KAQ7D0C8W3V6N9T5X2R4HJB1', productId: 'yearly', amountFen: 26800 }
const by = { loginCode: 'code', openid: 'oSomebody' }
const session = { openid: 'oSomebody', session_key: 'tiihtNczf5v6AKRyjwEUhQ==' }
const refund = {
  outRefundNo: 'R01KAQ8F2M4Y7B9D1G3J5N6Q8S0',
  attemptNo: attempt.attemptNo,
  payerOpenid: 'oSomebody',
  amountFen: 13400,
  leftFen: 26800,
  reason: 'users_wish',
  requestedBy: 'staff',
} as const

type Asked = { path: string; query: Record<string, string>; text: string }

/** Virtual payment of a platform that answers these in turn, the last one for ever; a text is sent as it is. */
function virtualOf(...written: readonly (object | string)[]) {
  const asked: Asked[] = []
  const left = [...written]
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    if (url.pathname === '/cgi-bin/stable_token') {
      return Response.json({ access_token: `token${asked.length}`, expires_in: 7200 })
    }
    const { pathname: path, searchParams } = url
    asked.push({ path, query: Object.fromEntries(searchParams), text: String(init?.body ?? '') })
    const answer = (left.length > 1 ? left.shift() : left[0]) ?? {}
    return typeof answer === 'string' ? new Response(answer) : Response.json(answer)
  }
  const program = createMiniProgram(
    { appId: 'wx0123456789abcdef', appSecret: 'secret', baseUrl: 'https://api.weixin.qq.com' },
    { ...systemRuntime, fetch },
  )
  return { virtual: program.virtualPayments(settings), asked }
}

const order = {
  order_id: attempt.attemptNo,
  wx_order_id: 'wxo1',
  channel_order_id: 'ch1',
  wxpay_order_id: '4200002026112200000000000001',
  status: 2,
  order_type: 0,
  order_fee: 26800,
  paid_fee: 26800,
  left_fee: 26800,
  create_time: 1795329900,
  paid_time: 1795329990,
  env_type: 1,
  sett_state: 0,
}
const asking = (changes: object) => virtualOf({ errcode: 0, order: { ...order, ...changes } })
const ask = ({ virtual }: ReturnType<typeof virtualOf>) => virtual.queryOrder(attempt.attemptNo, 'oSomebody')

describe('signing a virtual payment', () => {
  it('signs one text with both keys, and asks for nothing but the session', async () => {
    const { virtual, asked } = virtualOf(session)
    const params = await virtual.signPayment(attempt, by)
    expect(params).toEqual({
      mode: 'short_series_goods',
      signData:
        '{"offerId":"1450000001","buyQuantity":1,"env":0,"currencyType":"CNY","productId":"yearly","goodsPrice":26800,"outTradeNo":"M01KAQ7D0C8W3V6N9T5X2R4HJB1","attach":"M01KAQ7D0C8W3V6N9T5X2R4HJB1"}',
      paySig: '28e3b1cd0032a31bf03b702383471d7c1f44a77096ac43d3f5c15b261bf309e9',
      signature: 'd74a6fa63cda54db4432740e4f4faea02edd44bc9d9ff9925afae08bc762fcf4',
    })
    expect(params.signature).toBe(userSignatureOf(session.session_key, params.signData))
    expect(asked.map(({ path }) => path)).toEqual(['/sns/jscode2session'])
  })

  it("refuses somebody else's code, a used one, and what the platform would not take", async () => {
    expect(
      await failed(virtualOf(session).virtual.signPayment(attempt, { ...by, openid: 'oOther' })),
    ).toMatchObject({
      reason: 'other_user',
    })
    expect(await failed(virtualOf({ errcode: 40163 }).virtual.signPayment(attempt, by))).toMatchObject({
      reason: 'invalid_code',
    })
    const unsendable = [
      { attemptNo: '_23456789' },
      { productId: 'x'.repeat(21) },
      { amountFen: 0 },
      { amountFen: 0.5 },
    ]
    for (const wrong of unsendable) {
      const { virtual, asked } = virtualOf(session)
      const failure = await failureOf(PaymentsError, virtual.signPayment({ ...attempt, ...wrong }, by))
      expect([failure.reason, asked]).toEqual(['invalid_request', []])
    }
  })
})

describe('asking for a virtual order', () => {
  it('sends the very text that it signed, under the token of the mini-program', async () => {
    const called = asking({})
    await ask(called)
    const [{ path, query, text } = { path: '', query: {}, text: '' }] = called.asked
    expect([path, text]).toEqual([
      '/xpay/query_order',
      '{"openid":"oSomebody","env":0,"order_id":"M01KAQ7D0C8W3V6N9T5X2R4HJB1"}',
    ])
    expect(query).toEqual({ access_token: 'token0', pay_sig: paySigOf(settings.appKey, path, text) })
  })

  it('says what was paid, when and by what', async () => {
    expect(await ask(asking({}))).toEqual({
      number: attempt.attemptNo,
      state: 'paid',
      status: 2,
      byApple: false,
      env: 0,
      wxOrderId: 'wxo1',
      channelOrderId: 'ch1',
      transactionId: '4200002026112200000000000001',
      amountFen: 26800,
      paidFen: 26800,
      leftFen: 26800,
      refundFen: null,
      createdAt: new Date(1795329900_000),
      paidAt: new Date(1795329990_000),
      settlement: { state: 'open', at: null, feeFen: null },
    })
  })

  it.each([
    [0, 'unpaid'],
    [1, 'unpaid'],
    [2, 'paid'],
    [3, 'paid'],
    [4, 'delivered'],
    [5, 'refunding'],
    [6, 'closed'],
    [7, 'paid'],
    [8, 'refunded'],
    [9, 'refunding'],
    [10, 'refunding'],
    [11, 'unknown'],
  ])('reads status %i as %s', async (status, state) => {
    expect(await ask(asking({ status }))).toMatchObject({ state })
  })

  it('knows an order of Apple, which may lack the numbers of WeChat Pay', async () => {
    const apple = { order_type: 7, wxpay_order_id: '', paid_time: 0, channel_order_id: null }
    expect(await ask(asking(apple))).toMatchObject({
      byApple: true,
      transactionId: null,
      paidAt: null,
      channelOrderId: null,
    })
  })

  it('tells the fee once it is settled, and not before', async () => {
    const settled = { sett_time: 1795589990, platform_fee_fen: 268 }
    expect((await ask(asking({ ...settled, sett_state: 1 }))).settlement).toMatchObject({
      state: 'running',
      feeFen: null,
    })
    expect((await ask(asking({ ...settled, sett_state: 2 }))).settlement).toEqual({
      state: 'done',
      at: new Date(1795589990_000),
      feeFen: 268,
    })
  })

  it('takes no order for another one, and no half of an order', async () => {
    for (const changes of [
      { order_id: 'M01' },
      { order_fee: '26800' },
      { env_type: 0 },
      { create_time: null },
    ]) {
      expect(await failed(ask(asking(changes)))).toMatchObject({ reason: 'unreachable' })
    }
  })

  it.each([
    [268490002, '数据不存在 rid: 6a7b-1', 'unknown_order'],
    [268490002, 'invalid parameter', 'invalid_request'],
    [268490003, '支付签名(pay_sig)校验失败', 'misconfigured'],
    [268490003, '数据不存在', 'misconfigured'],
    [-1, '数据不存在', 'busy'],
    [268490014, 'refund running', 'not_yet'],
    [268490011, '', 'not_yet'],
    [268490013, '', 'not_refundable'],
    [268490015, '', 'busy'],
    [268490016, '', 'left_changed'],
    [1, 'IOS订单不支持开发者发起退款', 'not_refundable'],
    [-1, 'system error', 'busy'],
    [268499999, '', 'refused'],
  ])('understands %i "%s" as %s', async (errcode, errmsg, reason) => {
    const failure = await failed(ask(virtualOf({ errcode, errmsg })))
    expect(failure).toMatchObject({ reason, errcode })
    expect(failure.message).not.toContain(errmsg || 'nothing')
  })

  it("keeps the platform's number of a failed call, and no other word of it", async () => {
    const { requestId } = await failed(ask(virtualOf({ errcode: -1, errmsg: 'system error rid: 6a7b-12cd' })))
    expect(requestId).toBe('6a7b-12cd')
  })

  it('repeats once under a new token, with the same text and the same signature', async () => {
    const called = virtualOf({ errcode: 42001 }, { order })
    await ask(called)
    const [first, second] = called.asked
    expect([second?.text, second?.query['pay_sig']]).toEqual([first?.text, first?.query['pay_sig']])
    expect(second?.query['access_token']).not.toBe(first?.query['access_token'])
  })
})

describe('what else virtual payment is asked', () => {
  const bodyOf = ({ asked }: { asked: readonly Asked[] }) => JSON.parse(asked[0]?.text ?? 'null')

  it('is told of a delivery, and may answer with nothing', async () => {
    for (const answer of ['', { errcode: 0 }]) {
      const called = virtualOf(answer)
      await called.virtual.provideGoods(attempt.attemptNo)
      expect(bodyOf(called)).toEqual({ order_id: attempt.attemptNo, env: 0 })
    }
    expect(await failed(ask(virtualOf('')))).toMatchObject({ reason: 'unreachable' })
  })

  it('refunds with what is left, its reason and who asks as digits in text', async () => {
    const called = virtualOf({ errcode: 0, refund_wx_order_id: 'wxr1' })
    expect(await called.virtual.requestRefund(refund)).toEqual({ platformRefundId: 'wxr1' })
    expect(bodyOf(called)).toEqual({
      openid: 'oSomebody',
      order_id: attempt.attemptNo,
      refund_order_id: refund.outRefundNo,
      left_fee: 26800,
      refund_fee: 13400,
      biz_meta: refund.outRefundNo,
      refund_reason: '3',
      req_from: '1',
      env: 0,
    })
  })

  it('refuses a refund that cannot be one before it is sent', async () => {
    for (const wrong of [{ amountFen: 26801 }, { amountFen: 0 }, { outRefundNo: 'short' }]) {
      const { virtual, asked } = virtualOf({})
      const refused = (async () => virtual.requestRefund({ ...refund, ...wrong }))()
      expect([(await failureOf(PaymentsError, refused)).reason, asked]).toEqual(['invalid_request', []])
    }
  })

  it('uploads and publishes items one by one, and says how each is doing', async () => {
    const item = {
      id: 'yearly',
      name: '年度会员',
      priceFen: 26800,
      remark: '365 天 <A&B>',
      pictureUrl: 'https://example.com/p.png',
    }
    const uploading = virtualOf({})
    await uploading.virtual.uploadItem(item)
    expect(uploading.asked[0]?.query['pay_sig']).toBe(
      '63d347b1527429b17da4d27090fba081fe58612524db65149435de59cea9ba24',
    )
    const publishing = virtualOf({})
    await publishing.virtual.publishItem('yearly')
    expect(publishing.asked[0]?.query['pay_sig']).toBe(
      'a1ccf81271413ac4c6b31ccb704af5faca48b805ea5a1763e5178616abfa1e0e',
    )
    const tasks = [
      { id: 'yearly', upload_status: 2, price: 26800 },
      { id: 'monthly', upload_status: 1 },
      { id: 'weekly', upload_status: 2, price: '9.9' },
    ]
    const uploaded = virtualOf({ status: 3, upload_item: tasks })
    expect(await uploaded.virtual.uploadedItems()).toEqual({
      state: 'done',
      items: [
        { id: 'yearly', state: 'done', priceFen: 26800 },
        { id: 'monthly', state: 'exists', priceFen: null },
        { id: 'weekly', state: 'done', priceFen: null },
      ],
    })
    const published = virtualOf({ status: 2, publish_item: [{ id: 'yearly', publish_status: 3 }] })
    expect(await published.virtual.publishedItems()).toEqual({
      state: 'failed',
      items: [{ id: 'yearly', state: 'failed', priceFen: null }],
    })
    expect(await virtualOf({ status: 0 }).virtual.uploadedItems()).toEqual({ state: 'none', items: [] })
  })

  it('has bills of a day and of a month, or has none yet', async () => {
    const daily = virtualOf({ url: 'https://example.com/b' })
    expect(await daily.virtual.dailyBill('2026-11-01')).toEqual({
      state: 'ready',
      urls: ['https://example.com/b'],
    })
    expect(bodyOf(daily)).toEqual({ begin_ds: 20261101, end_ds: 20261101 })
    expect(await virtualOf({ url: '' }).virtual.dailyBill('2026-11-01')).toEqual({ state: 'later' })
    expect(await failed(virtualOf({ errcode: 268490011 }).virtual.dailyBill('2026-11-01'))).toMatchObject({
      reason: 'not_yet',
    })
    const apple = virtualOf({ bill_list: [{ month: '202611', bill_url: 'https://example.com/a' }] })
    expect(await apple.virtual.appleBill('2026-11')).toEqual({
      state: 'ready',
      urls: ['https://example.com/a'],
    })
    expect(bodyOf(apple)).toEqual({ start_month: '202611', end_month: '202611' })
  })

  it("answers Apple's inquiry sealed, and opens what it sealed", async () => {
    const { virtual } = virtualOf({})
    const answer = JSON.parse(
      virtual.answerInquiry({ letPass: false, info: '已发货', evidence: 'delivered' }),
    )
    const query = {
      encrypt_type: 'aes',
      msg_signature: answer.MsgSignature,
      timestamp: String(answer.TimeStamp),
      nonce: answer.Nonce,
    }
    expect(virtual.readPush(query, Buffer.from(JSON.stringify({ Encrypt: answer.Encrypt }))).payload).toEqual(
      {
        result_code: 1,
        result_info: '已发货',
        evidence: 'delivered',
      },
    )
  })
})
