import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Aes, Decorator, Formatter, Rsa } from 'wechatpay-axios-plugin'
import { createPayments, theRealOutside } from '../src/index.ts'
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
    world.platform.weather.add({ kind: 'wrong_key', at: 'query', times: 1 })
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

  it('signs answers that our client takes, and requests of ours verify under its hands', async () => {
    const { keys } = world.platform
    const platformKey = Rsa.from(keys.publicKey.privateKey, Rsa.KEY_TYPE_PRIVATE)
    const merchantKey = new X509Certificate(keys.merchant.certificate).publicKey
    const verdicts: boolean[] = []
    const server = createServer((request, response) => {
      const { authorization = '' } = request.headers
      const part = (name: string) => new RegExp(`${name}="([^"]+)"`).exec(authorization)?.[1] ?? ''
      const message = Formatter.request('GET', request.url ?? '', part('timestamp'), part('nonce_str'), '')
      verdicts.push(Rsa.verify(message, part('signature'), merchantKey))
      const transaction = { out_trade_no: 'M01ORACLE', trade_state: 'NOTPAY' }
      const body = JSON.stringify(transaction)
      const [timestamp, nonce] = [`${Formatter.timestamp()}`, Formatter.nonce()]
      response
        .writeHead(200, {
          'wechatpay-timestamp': timestamp,
          'wechatpay-nonce': nonce,
          'wechatpay-serial': keys.publicKey.id,
          'wechatpay-signature': Rsa.sign(Formatter.response(timestamp, nonce, body), platformKey),
        })
        .end(body)
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const address = server.address()
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    const payments = createPayments({ ...world.settings, baseUrl }, theRealOutside)
    expect(await payments.queryOrder('M01ORACLE')).toMatchObject({ state: 'not_paid' })
    expect(verdicts).toEqual([true])
    server.closeAllConnections()
    server.close()
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
