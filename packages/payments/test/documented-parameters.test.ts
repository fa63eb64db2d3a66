import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileStore, generatePlatformKeys, type Platform, startPlatform } from '../src/testing/index.ts'
import { refundedGoods } from './sdk/what-clients-send.ts'
import { askPlatform, orderBody } from './world/ask-platform.ts'
import { anOrder } from './world/world.ts'

const keys = generatePlatformKeys()
const DAY_MS = 86_400_000
const goods = { merchant_goods_id: 'SKU-1', goods_name: '季度会员', quantity: 1, unit_price: 7900 }
const store = { id: '0001', name: '深圳店', area_code: '440305', address: '科技中一道10000号' }

/** What the client of another merchant sends, and ours does not (protocol §3.1, §6.1). */
describe('the platform to test against takes what is documented', () => {
  let folder = ''
  let life: { platform: Platform; end: () => Promise<void> }

  async function begin() {
    const kept = fileStore(folder)
    const platform = await startPlatform({
      keys: structuredClone(keys),
      store: kept,
      refundsSettleAfterMs: null,
    })
    const end = async () => {
      await platform.stop()
      kept.close()
    }
    return { platform, end }
  }
  const startAgain = async () => {
    await life.end()
    life = await begin()
  }
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'documented-parameters-'))
    life = await begin()
  })
  afterAll(async () => {
    await life.end()
    rmSync(folder, { recursive: true })
  })

  async function order(changes: object = {}) {
    const { outTradeNo } = anOrder()
    const body = orderBody(life.platform, { out_trade_no: outTradeNo, ...changes })
    const answer = await askPlatform(life.platform, { target: '/v3/pay/transactions/jsapi', body })
    return { outTradeNo, ...answer }
  }
  async function paid(changes: object = {}) {
    const { outTradeNo } = await order(changes)
    await life.platform.pay(outTradeNo, { silent: true })
    return outTradeNo
  }
  const transactionOf = async (outTradeNo: string) => {
    const target = `/v3/pay/transactions/out-trade-no/${outTradeNo}?mchid=${keys.mchId}`
    return (await askPlatform(life.platform, { target })).content
  }
  const refund = (outTradeNo: string, { amount = {}, ...changes }: { amount?: object } & object = {}) =>
    askPlatform(life.platform, {
      target: '/v3/refund/domestic/refunds',
      body: {
        out_trade_no: outTradeNo,
        out_refund_no: `R${outTradeNo}`,
        amount: { refund: 100, total: 7900, currency: 'CNY', ...amount },
        ...changes,
      },
    })

  describe('with an order', () => {
    it('takes every parameter of the page at once', async () => {
      const everything = {
        time_expire: new Date(Date.now() + DAY_MS).toISOString(),
        attach: '自定义',
        goods_tag: 'WXG',
        support_fapiao: true,
        limit_pay: ['no_credit'],
        detail: { cost_price: 608_800, invoice_id: '微信123', goods_detail: [goods] },
        scene_info: { payer_client_ip: '14.23.150.211', device_id: '013467007045764', store_info: store },
        settle_info: { profit_sharing: false },
      }
      expect(await order(everything)).toMatchObject({
        status: 200,
        content: { prepay_id: expect.any(String) },
      })
    })

    it('says the packet and the device again when it is paid, also after a restart', async () => {
      const outTradeNo = await paid({ attach: 'packet', scene_info: { device_id: 'POS-7' } })
      const said = { attach: 'packet', scene_info: { device_id: 'POS-7' } }
      expect(await transactionOf(outTradeNo)).toMatchObject(said)
      await startAgain()
      expect(await transactionOf(outTradeNo)).toMatchObject(said)
    })

    it.each([
      [['no_balance'], 'ICBC_DEBIT'],
      [['no_balance', 'no_debit'], 'ICBC_CREDIT'],
      [['balance_only'], 'OTHERS'],
      [['no_credit'], 'OTHERS'],
    ])('that allows no %j is paid with %s', async (limits, bankType) => {
      const outTradeNo = await paid({ limit_pay: limits })
      expect(await transactionOf(outTradeNo)).toMatchObject({ bank_type: bankType })
    })

    it('that allows no means at all cannot be paid', async () => {
      await expect(paid({ limit_pay: ['balance_only', 'no_balance'] })).rejects.toThrow('没有可用的支付方式')
    })

    it('refuses a repeat with other goods', async () => {
      const out = { out_trade_no: anOrder().outTradeNo }
      await order({ ...out, detail: { goods_detail: [goods] } })
      const again = await order({ ...out, detail: { goods_detail: [{ ...goods, unit_price: 1 }] } })
      expect(again).toMatchObject({ status: 403, content: { code: 'OUT_TRADE_NO_USED' } })
    })

    const tooLong = (length: number) => 'x'.repeat(length + 1)
    it.each<[string, object, string]>([
      ['a packet of 129 characters', { attach: tooLong(128) }, '/attach'],
      ['a coupon tag of 33', { goods_tag: tooLong(32) }, '/goods_tag'],
      ['a limit nobody knows', { limit_pay: ['no_cash'] }, '/limit_pay/0'],
      ['an invoice entry that is no yes or no', { support_fapiao: 'true' }, '/support_fapiao'],
      ['a receipt number of 33', { detail: { invoice_id: tooLong(32) } }, '/detail/invoice_id'],
      [
        'goods without a price',
        { detail: { goods_detail: [{ merchant_goods_id: 'a', quantity: 1 }] } },
        '/detail/goods_detail/0/unit_price',
      ],
      [
        'a goods number with other characters',
        { detail: { goods_detail: [{ ...goods, merchant_goods_id: '会员' }] } },
        '/detail/goods_detail/0/merchant_goods_id',
      ],
      [
        'details of more than 6144 bytes',
        {
          detail: {
            goods_detail: Array.from({ length: 30 }, () => ({ ...goods, goods_name: tooLong(255) })),
          },
        },
        '/detail',
      ],
      [
        'an address that is none',
        { scene_info: { payer_client_ip: '1.2.3' } },
        '/scene_info/payer_client_ip',
      ],
      ['a store without its number', { scene_info: { store_info: { name: 'x' } } }, '/scene_info/store_info'],
      [
        'a store with a colour',
        { scene_info: { store_info: { ...store, colour: 'red' } } },
        '/scene_info/store_info',
      ],
      ['another scene', { scene_info: { h5_info: { type: 'Wap' } } }, '/scene_info'],
      ['another settlement', { settle_info: { subsidy: 1 } }, '/settle_info'],
    ])('refuses %s', async (_, changes, field) => {
      expect(await order(changes)).toMatchObject({
        status: 400,
        content: { code: 'PARAM_ERROR', detail: { field, location: 'body' } },
      })
    })
  })

  describe('with a refund', () => {
    it('takes every parameter of the page at once, and keeps what was sent over a restart', async () => {
      const outTradeNo = await paid()
      const sent = {
        reason: '商品已售完',
        notify_url: 'https://shop.example.com/refund',
        funds_account: 'AVAILABLE',
        goods_detail: [refundedGoods],
      }
      const from = [{ account: 'AVAILABLE', amount: 100 }]
      const said = { status: 'PROCESSING', funds_account: 'AVAILABLE', amount: { refund: 100, from } }
      expect(await refund(outTradeNo, { ...sent, amount: { from } })).toMatchObject({
        status: 200,
        content: said,
      })
      await startAgain()
      const target = `/v3/refund/domestic/refunds/R${outTradeNo}`
      expect((await askPlatform(life.platform, { target })).content).toMatchObject(said)
      const kept = life.platform.refunds.get(`R${outTradeNo}`)
      expect(JSON.parse(kept?.request ?? '')).toMatchObject(sent)
    })

    it('says nothing of accounts where none was named', async () => {
      const { content } = await refund(await paid())
      expect(content['funds_account']).toBe('AVAILABLE')
      expect(content['amount']).not.toHaveProperty('from')
    })

    const sharing = { settle_info: { profit_sharing: true } }
    const shares = (available: number, frozen: number) => ({
      amount: {
        from: [
          { account: 'AVAILABLE', amount: available },
          { account: 'UNAVAILABLE', amount: frozen },
        ],
      },
    })
    it('takes the frozen money of an order whose profit is shared, and both accounts at once', async () => {
      expect((await refund(await paid(sharing))).content).toMatchObject({ funds_account: 'UNAVAILABLE' })
      const asked = { funds_account: 'UNSETTLED' }
      expect((await refund(await paid(sharing), asked)).content).toMatchObject(asked)
      expect(await refund(await paid(sharing), shares(40, 60))).toMatchObject({
        status: 200,
        content: { funds_account: 'BASIC', amount: shares(40, 60).amount },
      })
    })

    it.each<[string, object, number, string]>([
      ['both accounts where no profit is shared', shares(40, 60), 400, 'INVALID_REQUEST'],
      ['frozen money where none is', { funds_account: 'UNSETTLED' }, 403, 'NOT_ENOUGH'],
      [
        'frozen money as the one share',
        { amount: { from: [{ account: 'UNAVAILABLE', amount: 100 }] } },
        403,
        'NOT_ENOUGH',
      ],
      ['shares that are not the sum', shares(40, 61), 400, 'PARAM_ERROR'],
      [
        'the same account twice',
        {
          amount: {
            from: [
              { account: 'AVAILABLE', amount: 50 },
              { account: 'AVAILABLE', amount: 50 },
            ],
          },
        },
        400,
        'PARAM_ERROR',
      ],
      ['an account nobody knows', { funds_account: 'OPERATION' }, 400, 'PARAM_ERROR'],
      ['a reason of 81 characters', { reason: 'x'.repeat(81) }, 400, 'PARAM_ERROR'],
      ['a query in the address', { notify_url: 'https://a.b/?c' }, 400, 'PARAM_ERROR'],
      [
        'goods without a sum',
        { goods_detail: [{ ...refundedGoods, refund_amount: undefined }] },
        400,
        'PARAM_ERROR',
      ],
      ['a parameter too many', { colour: 'red' }, 400, 'PARAM_ERROR'],
    ])('refuses %s', async (...[, changes, status, code]) => {
      expect(await refund(await paid(), changes)).toMatchObject({ status, content: { code } })
    })

    it('finds the money of such an order free thirty days later', async () => {
      const outTradeNo = await paid(sharing)
      await life.platform.moveClock(30 * DAY_MS)
      expect((await refund(outTradeNo)).content).toMatchObject({ funds_account: 'AVAILABLE' })
    })
  })

  it('reads what an earlier version wrote of orders and refunds', async () => {
    const outTradeNo = await paid()
    await refund(outTradeNo)
    await life.end()
    const file = join(folder, 'platform.jsonl')
    const later = ['deviceId', 'limitPay', 'isProfitSharing', 'fundsAccount', 'from']
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    const earlier = lines.map((line) =>
      JSON.stringify(JSON.parse(line, (name, value) => (later.includes(name) ? undefined : value))),
    )
    writeFileSync(file, `${earlier.join('\n')}\n`)
    life = await begin()
    expect(await transactionOf(outTradeNo)).toMatchObject({ trade_state: 'REFUND', bank_type: 'OTHERS' })
    const again = await refund(outTradeNo)
    expect(again.content).toMatchObject({ funds_account: 'AVAILABLE' })
  })
})
