import { X509Certificate } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Aes, Decorator, Formatter, Hash, Rsa } from 'wechatpay-axios-plugin'
import { z } from 'zod'
import { chinaTime } from '../../src/endpoints/orders.ts'
import type { Delivery } from '../../src/testing/index.ts'
import { anOrder, openWorld, type World } from '../world/world.ts'
import {
  BillLink,
  billsOfTheDay,
  Certificates,
  Envelope,
  everyOrderParameter,
  everyParameterPaid,
  numbersOfOneOrder,
  orderOf,
  refundAmount,
  refundOf,
} from './what-clients-send.ts'

const Casted = z.object({ rows: z.array(z.record(z.string(), z.string())) })

const publicKeyOf = (certificate: string) =>
  new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** The whole list of what a merchant does, by a client that none of us wrote, in either mode of keys. */
describe.each(['public_key', 'certificate'] as const)('wechatpay-axios-plugin with a %s', (keyMode) => {
  let world: World
  let client: Decorator
  const { outTradeNo, outRefundNo } = numbersOfOneOrder()

  const clientWith = (certs: Record<string, string>) =>
    new Decorator({
      mchid: world.platform.keys.mchId,
      serial: world.platform.keys.merchant.serial,
      privateKey: world.platform.keys.merchant.privateKey,
      certs,
      baseURL: `${world.platform.url}/`,
    })
  beforeAll(async () => {
    world = await openWorld({ keyMode, refundsSettleAfterMs: null, billsAtOnce: true })
    const { publicKey, certificates } = world.platform.keys
    client = clientWith({
      [publicKey.id]: publicKey.publicKey,
      ...Object.fromEntries(
        certificates.map(({ serial, certificate }) => [serial, publicKeyOf(certificate)]),
      ),
    })
  })
  afterAll(() => world.close())

  const post = (path: string, data: object, config: object = {}) => client.request(path, 'POST', data, config)
  const get = (path: string, params: object = {}, config: object = {}) =>
    client.request(path, 'GET', undefined, { params, ...config })
  const inquire = async (path: string) =>
    (await get(`v3/pay/transactions/${path}`, { mchid: world.platform.keys.mchId })).data

  async function order(number: string, more: object = {}) {
    const { appId, mchId } = world.platform.keys
    const { data } = await post('v3/pay/transactions/jsapi', {
      appid: appId,
      mchid: mchId,
      ...orderOf(world, number),
      ...more,
    })
    return z.object({ prepay_id: z.string() }).parse(data).prepay_id
  }

  /** What the client makes of a notification that was really posted. */
  function opened({ headers, body }: Delivery): unknown {
    const { 'Wechatpay-Timestamp': timestamp = '', 'Wechatpay-Nonce': nonce = '' } = headers
    const { 'Wechatpay-Signature': signature = '', 'Wechatpay-Serial': serial = '' } = headers
    const { publicKey, certificates, apiV3Key } = world.platform.keys
    const pem =
      serial === publicKey.id
        ? publicKey.publicKey
        : publicKeyOf(certificates.find((one) => one.serial === serial)?.certificate ?? '')
    const key = Rsa.from(pem, Rsa.KEY_TYPE_PUBLIC)
    expect(Rsa.verify(Formatter.response(timestamp, nonce, body), signature, key)).toBe(true)
    const { resource } = Envelope.parse(JSON.parse(body))
    return JSON.parse(
      Aes.AesGcm.decrypt(resource.ciphertext, apiV3Key, resource.nonce, resource.associated_data),
    )
  }

  it('orders with everything, signs what the phone pays by, and opens the notification', async () => {
    const { appId, merchant } = world.platform.keys
    const prepayPackage = `prepay_id=${await order(outTradeNo, everyOrderParameter)}`
    const [timeStamp, nonceStr] = [`${Formatter.timestamp()}`, Formatter.nonce()]
    const message = Formatter.joinedByLineFeed(appId, timeStamp, nonceStr, prepayPackage)
    const paySign = Rsa.sign(message, Rsa.from(merchant.privateKey, Rsa.KEY_TYPE_PRIVATE))
    const params = { timeStamp, nonceStr, package: prepayPackage, signType: 'RSA', paySign } as const
    const [delivery] = await world.platform.requestPayment(params, { openid: 'oSomebody' })
    expect(delivery?.status).toBe(204)
    expect(delivery && opened(delivery)).toMatchObject(everyParameterPaid(outTradeNo))
  })

  it('asks by both numbers', async () => {
    const byOurs = await inquire(`out-trade-no/${outTradeNo}`)
    const { transaction_id } = z.object({ transaction_id: z.string() }).parse(byOurs)
    expect(await inquire(`id/${transaction_id}`)).toEqual(byOurs)
  })

  it('closes, and hears what is refused as the platform says it', async () => {
    const unpaid = anOrder().outTradeNo
    await order(unpaid)
    const body = { mchid: world.platform.keys.mchId }
    expect((await post(`v3/pay/transactions/out-trade-no/${unpaid}/close`, body)).status).toBe(204)
    expect(await inquire(`out-trade-no/${unpaid}`)).toMatchObject({ trade_state: 'CLOSED' })
    const again = { status: 400, data: { code: 'ORDER_CLOSED' } }
    await expect(order(unpaid)).rejects.toMatchObject({ response: again })
  })

  it('refunds with everything, finds the refund and opens its notification', async () => {
    const { data } = await post('v3/refund/domestic/refunds', refundOf(world, { outTradeNo, outRefundNo }))
    expect(data).toMatchObject({ status: 'PROCESSING', amount: refundAmount })
    const [delivery] = await world.platform.settleRefund(outRefundNo)
    const ended = { out_refund_no: outRefundNo, refund_status: 'SUCCESS', amount: { refund: 100 } }
    expect(delivery && opened(delivery)).toMatchObject(ended)
    const found = await get(`v3/refund/domestic/refunds/${outRefundNo}`)
    expect(found.data).toMatchObject({ status: 'SUCCESS', amount: refundAmount })
  })

  it('seals what is secret of an abnormal refund', async () => {
    const number = `${outRefundNo}X`
    const amount = { refund: 1, total: 7900, currency: 'CNY' }
    const refund = { out_trade_no: outTradeNo, out_refund_no: number, amount }
    const { data } = await post('v3/refund/domestic/refunds', refund)
    await world.platform.settleRefund(number, 'ABNORMAL')
    const { id, publicKey } = world.platform.keys.publicKey
    const key = Rsa.from(publicKey, Rsa.KEY_TYPE_PUBLIC)
    const body = {
      out_refund_no: number,
      type: 'USER_BANK_CARD',
      bank_type: 'ICBC_DEBIT',
      bank_account: Rsa.encrypt('6222000000000000', key),
      real_name: Rsa.encrypt('某某', key),
    }
    const path = `v3/refund/domestic/refunds/${data.refund_id}/apply-abnormal-refund`
    // The answer is signed by the key that the request names.
    const applied = await post(path, body, { headers: { 'Wechatpay-Serial': id } })
    expect(applied.data).toMatchObject({ status: 'PROCESSING' })
    await world.platform.settleRefund(number, 'CLOSED')
  })

  it.each(billsOfTheDay)(
    'reads $bill of $query, plain and packed',
    async ({ bill, query, column, cells }) => {
      const bill_date = chinaTime(world.platform.now()).slice(0, 10)
      for (const packing of [{}, { tar_type: 'GZIP' }]) {
        const { data } = await get(`v3/bill/${bill}`, { bill_date, ...query, ...packing })
        const link = BillLink.parse(data)
        const { pathname, searchParams } = new URL(link.download_url)
        const asked = Object.fromEntries(searchParams)
        const file = await get(pathname.slice(1), asked, { responseType: 'arraybuffer' })
        const bytes = 'tar_type' in packing ? gunzipSync(file.data) : Buffer.from(file.data)
        expect(Hash.sha1(bytes)).toBe(link.hash_value)
        const { rows } = Casted.parse(Formatter.castCsvBill(bytes))
        expect(rows.slice(0, cells.length).map((row) => row[column])).toEqual(cells)
      }
    },
  )

  it('downloads the certificates where there are some, and verifies by them', async () => {
    if (keyMode === 'public_key') {
      const none = { status: 404, data: { code: 'RESOURCE_NOT_EXISTS' } }
      return expect(get('v3/certificates')).rejects.toMatchObject({ response: none })
    }
    const { data } = Certificates.parse((await get('v3/certificates')).data)
    const certs = data.map(({ serial_no, encrypt_certificate: sealed }) => {
      const { ciphertext, nonce, associated_data: aad } = sealed
      const pem = Aes.AesGcm.decrypt(ciphertext, world.platform.keys.apiV3Key, nonce, aad)
      return [serial_no, publicKeyOf(pem)] as const
    })
    const other = clientWith(Object.fromEntries(certs))
    const path = `v3/pay/transactions/out-trade-no/${outTradeNo}`
    const config = { params: { mchid: world.platform.keys.mchId } }
    expect((await other.request(path, 'GET', undefined, config)).data).toMatchObject({
      trade_state: 'REFUND',
    })
  })
})
