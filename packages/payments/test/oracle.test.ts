import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Aes, Decorator, Formatter, Rsa } from 'wechatpay-axios-plugin'
import { createPayments, type Payments, systemRuntime } from '../src/index.ts'
import { anOrder, openWorld, type World } from './world/world.ts'

/** A client that none of us wrote, against our platform; and our client against answers that it signed. */
describe('wechatpay-axios-plugin', () => {
  let world: World
  let client: Decorator
  beforeAll(async () => {
    world = await openWorld({ keyMode: 'mixed', refundsSettleAfterMs: null, billsAtOnce: true })
    const { keys, url } = world.platform
    const certs: Record<string, string> = { [keys.publicKey.id]: keys.publicKey.publicKey }
    for (const { serial, certificate } of keys.certificates) {
      certs[serial] = new X509Certificate(certificate).publicKey
        .export({ type: 'spki', format: 'pem' })
        .toString()
    }
    client = new Decorator({
      mchid: keys.mchId,
      serial: keys.merchant.serial,
      privateKey: keys.merchant.privateKey,
      certs,
      baseURL: `${url}/`,
    })
  })
  afterAll(() => world.close())

  const post = (path: string, data: object) => client.request(path, 'POST', data)
  const get = (path: string, config: object = {}) => client.request(path, 'GET', undefined, config)

  const orderOf = (outTradeNo: string) => ({
    appid: world.platform.keys.appId,
    mchid: world.platform.keys.mchId,
    description: '季度会员',
    out_trade_no: outTradeNo,
    notify_url: world.merchant.notifyUrl,
    amount: { total: 7900, currency: 'CNY' },
    payer: { openid: 'oSomebody' },
  })

  async function order() {
    const { outTradeNo } = anOrder()
    const { data } = await post('v3/pay/transactions/jsapi', orderOf(outTradeNo))
    return { outTradeNo, prepayId: String(data.prepay_id) }
  }
  const inquire = (outTradeNo: string) =>
    get(`v3/pay/transactions/out-trade-no/${outTradeNo}`, {
      params: { mchid: world.platform.keys.mchId },
    })

  it('orders, asks and closes, and verifies our platform’s answers', async () => {
    const { outTradeNo, prepayId } = await order()
    expect(prepayId).toMatch(/^wx/)
    expect((await inquire(outTradeNo)).data).toMatchObject({ trade_state: 'NOTPAY' })
    const path = `v3/pay/transactions/out-trade-no/${outTradeNo}/close`
    const closed = await post(path, { mchid: world.platform.keys.mchId })
    expect(closed.status).toBe(204)
    expect((await inquire(outTradeNo)).data).toMatchObject({ trade_state: 'CLOSED' })
  })

  it('refuses our platform’s answers when they are signed by another key', async () => {
    const { outTradeNo } = await order()
    world.platform.faults.add({ kind: 'wrong_key', at: 'query', times: 1 })
    await expect(inquire(outTradeNo)).rejects.toMatchObject({ code: 'EV3_RES_HEADER_SIGNATURE_DIGEST' })
  })

  it('signs payment params that the phone takes', async () => {
    const { prepayId } = await order()
    const { keys } = world.platform
    const params = {
      timeStamp: `${Formatter.timestamp()}`,
      nonceStr: Formatter.nonce(),
      package: `prepay_id=${prepayId}`,
    }
    const message = Formatter.joinedByLineFeed(keys.appId, params.timeStamp, params.nonceStr, params.package)
    const paySign = Rsa.sign(message, Rsa.from(keys.merchant.privateKey, Rsa.KEY_TYPE_PRIVATE))
    const paid = world.platform.requestPayment(
      { ...params, signType: 'RSA', paySign },
      { openid: 'oSomebody' },
    )
    expect((await paid)[0]?.status).toBe(204)
  })

  it('verifies and decrypts our platform’s notifications, in both key modes', async () => {
    const { outTradeNo } = await order()
    await world.platform.pay(outTradeNo, { silent: true })
    for (const share of [0, 1]) {
      world.platform.setRamp(share)
      const { headers, body } = world.platform.notification(outTradeNo)
      const { keys } = world.platform
      const { 'Wechatpay-Timestamp': timestamp = '', 'Wechatpay-Nonce': nonce = '' } = headers
      const { 'Wechatpay-Signature': signature = '', 'Wechatpay-Serial': serial = '' } = headers
      const pem =
        serial === keys.publicKey.id ? keys.publicKey.publicKey : (keys.certificates[0]?.certificate ?? '')
      const key = Rsa.from(pem, Rsa.KEY_TYPE_PUBLIC)
      expect(Rsa.verify(Formatter.response(timestamp, nonce, body), signature, key)).toBe(true)
      const { resource } = JSON.parse(body)
      const plain = Aes.AesGcm.decrypt(
        resource.ciphertext,
        keys.apiV3Key,
        resource.nonce,
        resource.associated_data,
      )
      expect(JSON.parse(plain)).toMatchObject({ out_trade_no: outTradeNo, trade_state: 'SUCCESS' })
    }
  })

  it('refunds, and finds the refund', async () => {
    const { outTradeNo } = await order()
    await world.platform.pay(outTradeNo, { silent: true })
    const refund = {
      out_trade_no: outTradeNo,
      out_refund_no: `R${outTradeNo}`,
      notify_url: world.merchant.notifyUrl,
    }
    const amount = { refund: 100, total: 7900, currency: 'CNY' }
    const { data } = await post('v3/refund/domestic/refunds', { ...refund, amount })
    expect(data).toMatchObject({ status: 'PROCESSING' })
    await world.platform.settleRefund(`R${outTradeNo}`)
    const found = await get(`v3/refund/domestic/refunds/R${outTradeNo}`)
    expect(found.data).toMatchObject({ status: 'SUCCESS', refund_id: data.refund_id })
  })

  it('fetches a bill whose hash holds', async () => {
    const { outTradeNo } = await order()
    await world.platform.pay(outTradeNo, { silent: true })
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    const params = { bill_date: today, bill_type: 'ALL', tar_type: 'GZIP' }
    const { data } = await get('v3/bill/tradebill', { params })
    const link = new URL(data.download_url)
    const config = { responseType: 'arraybuffer', params: Object.fromEntries(link.searchParams) }
    const bill = await get(link.pathname.slice(1), config)
    const plain = gunzipSync(Buffer.from(bill.data))
    expect(createHash('sha1').update(plain).digest('hex')).toBe(data.hash_value)
    expect(plain.toString('utf8')).toContain(outTradeNo)
  })

  describe('as the platform, whose answers it signs', () => {
    type Heard = { line: string; body: string; verified: boolean }
    const heard: Heard[] = []
    let payments: Payments
    let server: Server

    const refund = { outRefundNo: 'RM01ORACLE', outTradeNo: 'M01ORACLE', amountFen: 100, totalFen: 7900 }
    const refundObject = {
      refund_id: '50000000382019052709732678859',
      out_refund_no: refund.outRefundNo,
      transaction_id: '1217752501201407033233368018',
      out_trade_no: refund.outTradeNo,
      status: 'PROCESSING',
      amount: { total: 7900, refund: 100, currency: 'CNY' },
    }
    const byTrade = '/v3/pay/transactions/out-trade-no/M01ORACLE'
    /** A body, or null for 204. */
    const answers = (): Record<string, object | null> => ({
      'POST /v3/pay/transactions/jsapi': { prepay_id: 'wx26112221580621e9b071c00d9e093b0000' },
      [`GET ${byTrade}?mchid=${world.settings.mchId}`]: { out_trade_no: 'M01ORACLE', trade_state: 'NOTPAY' },
      [`POST ${byTrade}/close`]: null,
      'POST /v3/refund/domestic/refunds': refundObject,
    })

    /** Verified by its hands, over the bytes as they came. */
    function listen(
      { method = '', url = '', headers: { authorization = '' } }: IncomingMessage,
      body: string,
    ) {
      const part = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(authorization)?.[1] ?? ''
      const message = Formatter.request(method, url, part('timestamp'), part('nonce_str'), body)
      const { publicKey } = new X509Certificate(world.platform.keys.merchant.certificate)
      const line = `${method} ${url}`
      heard.push({ line, body, verified: Rsa.verify(message, part('signature'), publicKey) })
      return line
    }

    function signed(body: string) {
      const { id, privateKey } = world.platform.keys.publicKey
      const [timestamp, nonce] = [`${Formatter.timestamp()}`, Formatter.nonce()]
      const key = Rsa.from(privateKey, Rsa.KEY_TYPE_PRIVATE)
      return {
        'wechatpay-timestamp': timestamp,
        'wechatpay-nonce': nonce,
        'wechatpay-serial': id,
        'wechatpay-signature': Rsa.sign(Formatter.response(timestamp, nonce, body), key),
      }
    }

    beforeAll(async () => {
      server = createServer(async (request, response) => {
        const content = answers()[listen(request, await text(request))]
        const body = content ? JSON.stringify(content) : ''
        response.writeHead(content === null ? 204 : 200, signed(body)).end(body)
      })
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      const address = server.address()
      const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
      payments = createPayments({ ...world.settings, baseUrl }, systemRuntime)
    })
    afterAll(() => {
      server.closeAllConnections()
      server.close()
    })

    it.each<[string, () => Promise<unknown>, unknown]>([
      ['prepay', () => payments.prepay(anOrder()), { prepayId: 'wx26112221580621e9b071c00d9e093b0000' }],
      ['query', () => payments.queryOrder('M01ORACLE'), { state: 'not_paid' }],
      ['close', () => payments.closeOrder('M01ORACLE'), 'closed'],
      ['refund', () => payments.requestRefund(refund), { refund: { status: 'processing', amountFen: 100 } }],
    ])('it takes our %s, and we its answer', async (_, ask, answer) => {
      heard.length = 0
      expect([await ask()]).toMatchObject([answer])
      expect(heard.map(({ verified }) => verified)).toEqual([true])
    })

    it('and we refuse what it signed for another answer', async () => {
      const swapped = createPayments(
        { ...world.settings, baseUrl: `http://${payments.platformHost}` },
        { ...systemRuntime, fetch: async (...asked) => withoutBody(await fetch(...asked)) },
      )
      await expect(swapped.queryOrder('M01ORACLE')).rejects.toMatchObject({ reason: 'unverified_answer' })
    })
  })

  it('encrypts notifications that our reader opens', async () => {
    const { outTradeNo } = await order()
    await world.platform.pay(outTradeNo, { silent: true })
    const { keys } = world.platform
    const nonce = Formatter.nonce(12)
    const plain = { out_trade_no: outTradeNo, transaction_id: '42', appid: keys.appId, mchid: keys.mchId }
    const paid = { trade_type: 'JSAPI', trade_state: 'SUCCESS', success_time: '2026-01-01T10:00:00+08:00' }
    const content = JSON.stringify({ ...plain, ...paid, amount: { total: 7900, currency: 'CNY' } })
    const ciphertext = Aes.AesGcm.encrypt(content, keys.apiV3Key, nonce, 'transaction')
    const resource = { algorithm: 'AEAD_AES_256_GCM', nonce, associated_data: 'transaction', ciphertext }
    const head = { id: 'EV-1', create_time: '2026-01-01T10:00:00+08:00', event_type: 'TRANSACTION.SUCCESS' }
    const body = JSON.stringify({ ...head, summary: '', resource })
    const timestamp = `${Formatter.timestamp()}`
    const key = createPrivateKey(keys.publicKey.privateKey)
    const headers = {
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': nonce,
      'wechatpay-serial': keys.publicKey.id,
      'wechatpay-signature': Rsa.sign(Formatter.response(timestamp, nonce, body), key),
    }
    expect(world.payments.readNotification({ headers, body: Buffer.from(body) })).toMatchObject({
      kind: 'payment',
      payment: { outTradeNo, amountFen: 7900, payerOpenid: null },
    })
  })
})

const withoutBody = ({ headers }: Response) => new Response('{}', { headers })
