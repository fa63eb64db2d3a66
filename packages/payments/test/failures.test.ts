import { createPrivateKey, X509Certificate } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createMiniProgram, createPayments, PaymentSettingsError, systemRuntime } from '../src/index.ts'
import { signatureHeaders } from '../src/testing/sign-and-seal.ts'
import { paid, placed } from './world/orders-in-this-world.ts'
import { readingsOfKeys } from './world/readings-of-keys.ts'
import { anOrder, openWorld, type World } from './world/world.ts'

/** The twenty-four failures of real integrations (protocol §11), each shown not to be ours. */
describe('failures that others had', () => {
  let world: World
  let certificates: World
  beforeAll(async () => {
    world = await openWorld({ keyMode: 'mixed', refundsSettleAfterMs: null })
    certificates = await openWorld({ keyMode: 'certificate' })
  })
  afterAll(() => Promise.all([world.close(), certificates.close()]))
  afterEach(() => {
    world.platform.faults.clear()
    world.platform.stopSchedule()
  })

  const read = (notification: { headers: Record<string, string>; body: string }, body = notification.body) =>
    world.payments.readNotification({ headers: notification.headers, body: Buffer.from(body) })

  it('1: the received bytes are verified, so that a body written anew does not pass', async () => {
    const notification = world.platform.notification((await paid(world)).outTradeNo)
    expect(read(notification).kind).toBe('payment')
    const anew = JSON.stringify(JSON.parse(notification.body), null, 1)
    expect(() => read(notification, anew)).toThrow(expect.objectContaining({ reason: 'bad_signature' }))
  })

  it('2: a probe is refused without an exception of the decoder, and counted apart', async () => {
    const { outTradeNo } = await paid(world)
    const probe = world.platform.notification(outTradeNo, { probe: true })
    expect(() => read(probe)).toThrow(expect.objectContaining({ name: 'PaymentsError', reason: 'probe' }))
    const odd = { ...probe, headers: { ...probe.headers, 'Wechatpay-Signature': 'WECHATPAY/SIGNTEST/abc' } }
    expect(() => read(odd)).toThrow(expect.objectContaining({ reason: 'probe' }))
  })

  it('3: a merchant without platform certificates starts and pays with the public key alone', async () => {
    const alone = await openWorld({ keyMode: 'public_key' })
    expect((await alone.payments.prepay(anOrder())).prepayId).toMatch(/^wx/)
    expect(alone.platform.requests.some(({ path }) => path === '/v3/certificates')).toBe(false)
    await alone.close()
  })

  it('4: both kinds of key verify side by side, and every call names the public key', async () => {
    const { outTradeNo } = await paid(world)
    world.platform.setRamp(0)
    expect(read(world.platform.notification(outTradeNo)).serial).toMatch(/^[0-9A-F]{40}$/)
    world.platform.setRamp(1)
    expect(read(world.platform.notification(outTradeNo)).serial).toMatch(/^PUB_KEY_ID_/)
    const named = world.platform.requests.map(({ headers }) => headers['wechatpay-serial'])
    expect(new Set(named)).toEqual(new Set([world.platform.keys.publicKey.id]))
  })

  it('5: a wrong API v3 key is found at the start by its length, later by the tag', async () => {
    const spaced = { ...world.settings, apiV3Keys: [`${world.platform.keys.apiV3Key} `] }
    expect(() => createPayments(spaced, systemRuntime)).toThrow(PaymentSettingsError)
    const other = world.platform.notification((await paid(world)).outTradeNo, { apiV3Key: 'x'.repeat(32) })
    expect(() => read(other)).toThrow(expect.objectContaining({ reason: 'undecryptable', advice: 'fix' }))
  })

  it('6: the merchant certificate among the platform keys stops the start', () => {
    const { merchant } = world.platform.keys
    const withOwn = { ...world.settings, platformKeys: [{ id: merchant.serial, pem: merchant.certificate }] }
    expect(() => createPayments(withOwn, systemRuntime)).toThrow(/merchant certificate/)
    const disguised = new X509Certificate(merchant.certificate).publicKey.export({
      type: 'spki',
      format: 'pem',
    })
    const renamed = { ...withOwn, platformKeys: [{ id: 'PUB_KEY_ID_1', pem: disguised.toString() }] }
    expect(() => createPayments(renamed, systemRuntime)).toThrow(/merchant certificate/)
  })

  it('7: the query is signed as it is sent', async () => {
    await world.payments.queryOrder('M01|ODD*NAME')
    const asked = world.platform.requests.at(-1)
    expect([asked?.status, asked?.path]).toEqual([
      404,
      `/v3/pay/transactions/out-trade-no/M01%7CODD*NAME?mchid=${world.payments.mchId}`,
    ])
  })

  it('8: a decimal serial number, or one that lost a leading zero, stops the start', () => {
    const refused = (merchantSerialNo: string) =>
      expect(() => createPayments({ ...world.settings, merchantSerialNo }, systemRuntime)).toThrow(
        /merchantSerialNo: must be the hexadecimal/,
      )
    refused(BigInt(`0x${world.settings.merchantSerialNo}`).toString())
    refused(BigInt(`0x${'1f'.repeat(16)}`).toString())
    refused(`0${'5e'.repeat(19)}f`.slice(1))
  })

  it('8: leading zeros and letters of a serial number are sent as they are, in capitals', async () => {
    const merchantSerialNo = `00${'5e'.repeat(19)}`
    let sent: string | null = null
    const noting: typeof fetch = async (_, init) => {
      sent = new Headers(init?.headers).get('authorization')
      throw new TypeError('fetch failed')
    }
    const payments = createPayments(
      { ...world.settings, merchantSerialNo },
      { ...systemRuntime, fetch: noting },
    )
    await expect(payments.queryOrder('M01SERIAL')).rejects.toThrow('unreachable')
    expect(sent).toContain(`serial_no="00${'5E'.repeat(19)}"`)
  })

  it('9: payment params pass the check of the phone: prefix, seconds as text, this app, this key', async () => {
    const order = anOrder()
    const { prepayId } = await world.payments.prepay(order)
    const params = await world.payments.paymentParams(prepayId)
    const pay = (changed: Partial<typeof params>) =>
      world.platform.requestPayment({ ...params, ...changed }, { openid: order.payerOpenid, silent: true })
    await expect(pay({ package: prepayId })).rejects.toThrow('签名失败')
    await expect(pay({ timeStamp: `${params.timeStamp}000` })).rejects.toThrow('签名失败')
    await expect(pay({ nonceStr: 'another' })).rejects.toThrow('签名失败')
    await expect(pay({})).resolves.toEqual([])
  })

  it('10: a bill download, which is not signed, is judged by its hash', async () => {
    world.platform.setBillsAtOnce(true)
    await paid(world)
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    const bill = await world.payments.tradeBill(today)
    if (bill.state !== 'ready') throw new Error('no bill')
    expect(bill.sha1).toMatch(/^[0-9a-f]{40}$/)
    await bill.discard()
  })

  it('11: the hash is taken over the plain bytes and compared when all have been read', async () => {
    world.platform.setBillsAtOnce(true)
    await paid(world)
    const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    world.platform.faults.add({ kind: 'corrupt_byte', at: 'bill_download', times: 1 })
    await expect(world.payments.tradeBill(today)).rejects.toMatchObject({ name: 'PaymentsError' })
  })

  it('12: Chinese text is signed and sent as the same bytes', async () => {
    const order = anOrder({ description: '年度会员 · 365 天（含报告）' })
    await world.payments.prepay(order)
    expect(world.platform.orders.get(order.outTradeNo)?.description).toBe(order.description)
  })

  it('13: a signature whose plus signs became spaces is refused, not repaired', async () => {
    const notification = world.platform.notification((await paid(world)).outTradeNo)
    const signature = notification.headers['Wechatpay-Signature'] ?? ''
    const spaced = `${signature.slice(0, 20)} ${signature.slice(21)}`
    const headers = { ...notification.headers, 'Wechatpay-Signature': spaced }
    expect(() => read({ ...notification, headers })).toThrow(
      expect.objectContaining({ reason: 'bad_signature' }),
    )
  })

  it('14: an empty body, consumed by somebody before us, does not verify', async () => {
    const notification = world.platform.notification((await paid(world)).outTradeNo)
    expect(() => read(notification, '')).toThrow(expect.objectContaining({ reason: 'bad_signature' }))
  })

  it('15: the status alone decides: FAIL under 200 ends the repeats, under 500 it does not', async () => {
    const [lost, repeated] = [await placed(world), await placed(world)]
    const answersTo = ({ outTradeNo }: { outTradeNo: string }) =>
      world.platform.deliveries
        .filter((one) => one.outTradeNo === outTradeNo)
        .map(({ status, answer }) => [status, answer])
    world.platform.setScheduleSpeed(1_000)
    world.merchant.failNext(1, 200)
    await world.platform.pay(lost.outTradeNo)
    world.merchant.failNext(1)
    await world.platform.pay(repeated.outTradeNo)
    // Paid later and repeated after the same pause: by now the other would have come again too.
    await expect
      .poll(() => answersTo(repeated))
      .toEqual([
        [500, '{"code":"FAIL"}'],
        [204, ''],
      ])
    expect(answersTo(lost)).toEqual([[200, '{"code":"FAIL"}']])
    world.platform.setScheduleSpeed(1)
  })

  it('16: repeats, a query and a repeat at the same time all tell of one payment, under one id', async () => {
    const { outTradeNo } = await placed(world)
    world.platform.faults.add({ kind: 'duplicate', at: 'notification', outTradeNo })
    await world.platform.pay(outTradeNo)
    const [asked] = await Promise.all([
      world.payments.queryOrder(outTradeNo),
      world.platform.resend(outTradeNo),
      world.platform.resend(outTradeNo),
    ])
    const told = world.merchant.read.filter(
      (one) => one.kind === 'payment' && one.payment.outTradeNo === outTradeNo,
    )
    expect(told).toHaveLength(6)
    expect(new Set(told.map(({ id }) => id)).size).toBe(1)
    const payments = [...told, asked].map((one) => 'payment' in one && { ...one.payment, source: 'any' })
    expect(payments).toEqual(payments.map(() => payments[0]))
  })

  it('17: a forged payment is refused: there is no way to read without verifying', async () => {
    const forged = world.platform.notification((await paid(world)).outTradeNo, { wrongKey: true })
    expect(() => read(forged)).toThrow(expect.objectContaining({ reason: 'bad_signature' }))
  })

  it('18: a value that we do not know is no crash', async () => {
    const { outTradeNo } = await paid(world)
    const event = read(world.platform.notification(outTradeNo, { eventType: 'COUPON.USE' }))
    expect(event).toMatchObject({ kind: 'unknown', eventType: 'COUPON.USE' })
    const order = world.platform.orders.get(outTradeNo)
    if (order) Object.assign(order, { state: 'SOMETHING_NEW' })
    const answer = await world.payments.queryOrder(outTradeNo)
    expect(answer).toMatchObject({ state: 'unknown', tradeState: 'SOMETHING_NEW' })
  })

  it('19: refunds always name where to notify, so that no XML comes', async () => {
    const { outTradeNo } = await paid(world)
    await world.payments.requestRefund({
      outRefundNo: `R${outTradeNo}`,
      outTradeNo,
      amountFen: 1,
      totalFen: 7900,
    })
    expect(JSON.parse(world.platform.requests.at(-1)?.body ?? '')).toMatchObject({
      notify_url: world.merchant.notifyUrl,
    })
  })

  it('20: every call says who it is and what it takes', async () => {
    await paid(world)
    for (const { headers } of world.platform.requests) {
      expect(headers['user-agent']).toMatch(/^meridian-payments\//)
      expect(headers['accept']).toBe('application/json')
    }
  })

  it('21: keys are read once for each merchant, not for each call', async () => {
    const { platform, settings } = certificates
    const order = anOrder()
    await certificates.payments.prepay(order)
    await platform.pay(order.outTradeNo, { silent: true })
    const { headers, body } = platform.notification(order.outTradeNo)
    const started = await readingsOfKeys(async () => createPayments(settings, systemRuntime))
    expect(started.readings).toBeGreaterThan(2)
    const payments = started.result
    const used = await readingsOfKeys(async () => {
      await payments.prepay(anOrder())
      await payments.paymentParams('wx1')
      await payments.queryOrder(order.outTradeNo)
      payments.readNotification({ headers, body: Buffer.from(body) })
    })
    expect(used.readings).toBe(0)
    expect(platform.requests.some(({ path }) => path === '/v3/certificates')).toBe(false)
  })

  it('22: characters of four bytes are refused before sending', async () => {
    const asked = world.platform.requests.length
    await expect(world.payments.prepay(anOrder({ description: '会员😀' }))).rejects.toMatchObject({
      reason: 'invalid_request',
      message: expect.stringContaining('/description'),
    })
    expect(world.platform.requests).toHaveLength(asked)
  })

  it('23: "accepted, not finished" is neither success nor failure', async () => {
    const runtime = { ...systemRuntime, fetch: signedAccepted(world) }
    const payments = createPayments(world.settings, runtime)
    await expect(payments.queryOrder('M01ACCEPTED')).rejects.toMatchObject({
      status: 202,
      advice: 'ask_again',
    })
  })

  it('24: shipping right after the payment is told to wait, not to stop', async () => {
    const { appId, appSecret, apiBaseUrl } = world.settings
    const miniProgram = createMiniProgram({ appId, appSecret, baseUrl: apiBaseUrl }, systemRuntime)
    world.platform.faults.add({ kind: 'shipping_not_ready', at: 'mini_program' })
    const shipping = { transactionId: '4200000000', payerOpenid: 'o', itemDescription: '会员' }
    await expect(miniProgram.uploadShipping(shipping)).rejects.toMatchObject({ reason: 'not_yet' })
  })
})

/** A platform that answers everything with a signed, empty 202. */
function signedAccepted({ platform }: World): typeof fetch {
  const { id: serial, privateKey } = platform.keys.publicKey
  const key = { serial, privateKey: createPrivateKey(privateKey) }
  const headers = signatureHeaders({ body: new Uint8Array(), key, now: new Date() })
  return async () => new Response(null, { status: 202, headers })
}
