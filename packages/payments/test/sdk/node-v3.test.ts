import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WxPay from 'wechatpay-node-v3'
import { PayRequest } from 'wechatpay-node-v3/dist/lib/pay-request.js'
import { z } from 'zod'
import { fieldsOf } from '../../src/bills/read-table.ts'
import { chinaTime } from '../../src/endpoints/orders.ts'
import type { Delivery } from '../../src/testing/index.ts'
import { anOrder, openWorld, type World } from '../world/world.ts'
import {
  BillLink,
  billsOfTheDay,
  Envelope,
  everyOrderParameter,
  everyParameterPaid,
  numbersOfOneOrder,
  orderOf,
  refundAmount,
  refundOf,
} from './what-clients-send.ts'

const PayParams = z.object({
  timeStamp: z.string(),
  nonceStr: z.string(),
  package: z.string(),
  signType: z.literal('RSA'),
  paySign: z.string(),
})

const OFFICIAL = 'https://api.mch.weixin.qq.com'

/** The whole list of what a merchant does, by another client that none of us wrote and that knows certificates only. */
describe('wechatpay-node-v3', () => {
  let world: World
  let client: WxPay
  const { outTradeNo, outRefundNo } = numbersOfOneOrder()

  beforeAll(async () => {
    world = await openWorld({ keyMode: 'certificate', refundsSettleAfterMs: null, billsAtOnce: true })
    const { keys, url } = world.platform
    client = new WxPay({
      appid: keys.appId,
      mchid: keys.mchId,
      publicKey: Buffer.from(keys.merchant.certificate),
      privateKey: Buffer.from(keys.merchant.privateKey),
      key: keys.apiV3Key,
    })
    // It knows the official host alone; by its own transport, to our platform.
    const transport = new PayRequest()
    const here = (target: string) => target.replace(OFFICIAL, url)
    client.createHttp({
      get: (target, headers) => transport.get(here(target), headers),
      post: (target, params, headers) => transport.post(here(target), params, headers),
      upload: (target, params, headers) => transport.upload(here(target), params, headers),
    })
  })
  afterAll(() => world.close())

  const order = (number: string, more: object = {}) =>
    client.transactions_jsapi({
      ...orderOf(world, number),
      ...more,
    })

  /** What the client makes of a notification that was really posted; it fetches the certificates by itself. */
  async function opened({ headers, body }: Delivery): Promise<unknown> {
    const { 'Wechatpay-Timestamp': timestamp = '', 'Wechatpay-Nonce': nonce = '' } = headers
    const { 'Wechatpay-Signature': signature = '', 'Wechatpay-Serial': serial = '' } = headers
    expect(await client.verifySign({ timestamp, nonce, body, serial, signature })).toBe(true)
    const altered = body.replace('encrypt-resource', 'Encrypt-resource')
    expect(await client.verifySign({ timestamp, nonce, body: altered, serial, signature })).toBe(false)
    const { ciphertext, associated_data, nonce: iv } = Envelope.parse(JSON.parse(body)).resource
    return client.decipher_gcm(ciphertext, associated_data, iv)
  }

  it('orders with everything, signs what the phone pays by, and opens the notification', async () => {
    const { status, data } = await order(outTradeNo, everyOrderParameter)
    expect(status).toBe(200)
    const params = PayParams.parse(data)
    const [delivery] = await world.platform.requestPayment(params, { openid: 'oSomebody' })
    expect(delivery?.status).toBe(204)
    expect(delivery && (await opened(delivery))).toMatchObject(everyParameterPaid(outTradeNo))
  })

  it('asks by both numbers', async () => {
    const byOurs = await client.query({ out_trade_no: outTradeNo })
    expect(byOurs).toMatchObject({ status: 200, data: { trade_state: 'SUCCESS' } })
    const { transaction_id } = z.object({ transaction_id: z.string() }).parse(byOurs.data)
    expect((await client.query({ transaction_id })).data).toEqual(byOurs.data)
  })

  it('closes, and hears what is refused as the platform says it', async () => {
    const unpaid = anOrder().outTradeNo
    await order(unpaid)
    expect((await client.close(unpaid)).status).toBe(204)
    expect((await client.query({ out_trade_no: unpaid })).data).toMatchObject({ trade_state: 'CLOSED' })
    const again = await order(unpaid)
    expect(again).toMatchObject({ status: 400, error: expect.stringContaining('ORDER_CLOSED') })
  })

  it('refunds with everything, finds the refund and opens its notification', async () => {
    const asked = await client.refunds(refundOf(world, { outTradeNo, outRefundNo }))
    expect(asked).toMatchObject({ status: 200, data: { status: 'PROCESSING' } })
    const [delivery] = await world.platform.settleRefund(outRefundNo)
    expect(delivery && (await opened(delivery))).toMatchObject({
      out_refund_no: outRefundNo,
      refund_status: 'SUCCESS',
      amount: { refund: 100, total: 7900 },
    })
    const found = await client.find_refunds(outRefundNo)
    expect(found.data).toMatchObject({ status: 'SUCCESS', amount: refundAmount })
  })

  it.each(billsOfTheDay)(
    'reads $bill of $query, plain and packed',
    async ({ bill, query, column, cells }) => {
      const bill_date = chinaTime(world.platform.now()).slice(0, 10)
      for (const packing of [{}, { tar_type: 'GZIP' }]) {
        const asked =
          bill === 'tradebill'
            ? client.tradebill({ bill_date, ...query, ...packing })
            : client.fundflowbill({ bill_date, ...query, ...packing })
        const link = BillLink.parse((await asked).data)
        // It signs the address without the official host: an address of ours is given back as one of that host.
        const file = await client.downloadBill(link.download_url.replace(world.platform.url, OFFICIAL))
        expect(file.status).toBe(200)
        const text = 'tar_type' in packing ? gunzipSync(file.data).toString('utf8') : String(file.data)
        expect(createHash('sha1').update(text).digest('hex')).toBe(link.hash_value)
        const [head = '', ...rows] = text.replace('\ufeff', '').trimEnd().split('\r\n')
        const at = head.split(',').indexOf(column)
        expect(rows.slice(0, -2).map((row) => fieldsOf(row)[at])).toEqual(cells)
      }
    },
  )

  it('downloads the certificates and reads their keys', async () => {
    const { certificates, apiV3Key } = world.platform.keys
    const found = await client.get_certificates(apiV3Key)
    expect(found.map(({ serial_no }) => serial_no)).toEqual(certificates.map(({ serial }) => serial))
    expect(found[0]).toMatchObject({ publicKey: expect.stringContaining('BEGIN PUBLIC KEY') })
  })

  it('seals a text that the platform opens, and opens what was sealed for the merchant', () => {
    const { certificates, merchant } = world.platform.keys
    const sealed = client.publicEncrypt('某某', Buffer.from(certificates[0]?.certificate ?? ''))
    expect(Buffer.from(sealed, 'base64')).toHaveLength(256)
    const forUs = client.publicEncrypt('某某', Buffer.from(merchant.certificate))
    expect(client.privateDecrypt(forUs)).toBe('某某')
  })
})
