import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fieldsOf } from '../src/bills/read-table.ts'
import { fileStore, generatePlatformKeys, type Platform, startPlatform } from '../src/testing/index.ts'
import { askPlatform, orderBody } from './world/ask-platform.ts'

const NOON = new Date('2026-03-02T12:00:00+08:00')
const DAY = '2026-03-02'
const DAY_MS = 86_400_000
const keys = generatePlatformKeys()

const Link = z.object({ hash_type: z.literal('SHA1'), hash_value: z.string(), download_url: z.url() })

const ofOrder =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额'
const ofRefund = '微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态'
const allTotals =
  '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'

/** A day with two payments and a refund, read as each kind of bill (protocol §7). */
describe('the bills of the platform to test against', () => {
  let folder = ''
  let life: { platform: Platform; end: () => Promise<void> }

  async function begin() {
    const store = fileStore(folder)
    const platform = await startPlatform({
      keys: structuredClone(keys),
      store,
      now: () => NOON,
      refundsSettleAfterMs: null,
    })
    const end = async () => {
      await platform.stop()
      store.close()
    }
    return { platform, end }
  }

  const ask = (path: string, query: Record<string, string>) =>
    askPlatform(life.platform, { target: `/v3/bill/${path}?${new URLSearchParams(query)}` })

  /** Head, rows by column and totals by name of a bill, its hash checked. */
  async function bill(path: string, query: Record<string, string> = {}) {
    const answer = await ask(path, { bill_date: DAY, ...query })
    const link = Link.parse(answer.content)
    const { pathname, search } = new URL(link.download_url)
    const { bytes } = await askPlatform(life.platform, { target: pathname + search })
    const text = query['tar_type'] === 'GZIP' ? gunzipSync(bytes) : bytes
    expect(createHash('sha1').update(text).digest('hex')).toBe(link.hash_value)
    const lines = text.toString('utf8').replace('\ufeff', '').trimEnd().split('\r\n')
    const [head = '', ...rest] = lines
    const named = (names: string, line: string) => {
      const fields = fieldsOf(line)
      expect(fields).toHaveLength(names.split(',').length)
      return Object.fromEntries(names.split(',').map((name, at) => [name, fields[at]]))
    }
    const totalsHead = rest.at(-2) ?? ''
    return {
      head,
      totalsHead,
      rows: rest.slice(0, -2).map((line) => named(head, line)),
      totals: named(totalsHead, rest.at(-1) ?? ''),
      sha1: link.hash_value,
    }
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bill-types-'))
    life = await begin()
    const { platform } = life
    for (const outTradeNo of ['M01BILL1', 'M01BILL2']) {
      const body = orderBody(platform, {
        out_trade_no: outTradeNo,
        attach: `of ${outTradeNo}`,
        scene_info: { device_id: 'POS-7' },
      })
      await askPlatform(platform, { target: '/v3/pay/transactions/jsapi', body })
      await platform.pay(outTradeNo, { silent: true })
    }
    const amount = { refund: 1000, total: 7900, currency: 'CNY' }
    const refund = { out_trade_no: 'M01BILL1', out_refund_no: 'RBILL', amount }
    await askPlatform(platform, { target: '/v3/refund/domestic/refunds', body: refund })
    await platform.settleRefund('RBILL')
    await platform.moveClock(DAY_MS)
  })
  afterAll(async () => {
    await life.end()
    rmSync(folder, { recursive: true })
  })

  it('show payments and refunds of a day where all is asked for, which is meant where nothing is said', async () => {
    const all = await bill('tradebill', { bill_type: 'ALL' })
    expect(all.head).toBe(
      `${ofOrder},${ofRefund},商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注`,
    )
    expect(all.totalsHead).toBe(allTotals)
    expect(all.rows.map((row) => [row['交易状态'], row['订单金额'], row['申请退款金额']])).toEqual([
      ['SUCCESS', '79.00', '0.00'],
      ['SUCCESS', '79.00', '0.00'],
      ['REFUND', '0.00', '10.00'],
    ])
    expect(all.totals).toMatchObject({ 总交易单数: '3.0', 订单总金额: '158.00', 退款总金额: '10.00' })
    expect((await bill('tradebill')).sha1).toBe(all.sha1)
  })

  it('show payments alone, without the columns of refunds, as SUCCESS', async () => {
    const { head, totalsHead, rows, totals } = await bill('tradebill', { bill_type: 'SUCCESS' })
    expect(head).toBe(`${ofOrder},商品名称,商户数据包,手续费,费率,订单金额,费率备注`)
    expect(totalsHead).toBe('总交易单数,应结订单总金额,手续费总金额,订单总金额')
    expect(rows.map((row) => row['商户订单号'])).toEqual(['M01BILL1', 'M01BILL2'])
    expect(rows[0]).toMatchObject({ 设备号: 'POS-7', 商户数据包: 'of M01BILL1', 手续费: '0.47400' })
    expect(totals).toEqual({
      总交易单数: '2.0',
      应结订单总金额: '158.00',
      手续费总金额: '0.95',
      订单总金额: '158.00',
    })
  })

  it('show refunds alone, with when they were asked for and done, as REFUND', async () => {
    const { head, totalsHead, rows, totals } = await bill('tradebill', { bill_type: 'REFUND' })
    const times = '退款申请时间,退款成功时间'
    const tail = '商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
    expect(head).toBe(`${ofOrder},${times},${ofRefund},${tail}`)
    expect(totalsHead).toBe(allTotals)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      商户退款单号: 'RBILL',
      退款申请时间: '2026-03-02 12:00:00',
      退款成功时间: '2026-03-02 12:00:00',
      退款金额: '10.00',
      退款状态: 'SUCCESS',
    })
    expect(totals).toMatchObject({ 总交易单数: '1.0', 订单总金额: '0.00', 申请退款总金额: '10.00' })
  })

  it('show money, fees and refunds on the basic account, which is meant where none is said', async () => {
    const { rows, totals, sha1 } = await bill('fundflowbill', { account_type: 'BASIC' })
    expect(rows.map((row) => [row['业务名称'], row['收支类型'], row['收支金额(元)']])).toEqual([
      ['交易', '收入', '79.00'],
      ['扣除交易手续费', '支出', '0.47'],
      ['交易', '收入', '79.00'],
      ['扣除交易手续费', '支出', '0.47'],
      ['退款', '支出', '10.00'],
    ])
    expect(totals).toMatchObject({ 资金流水总笔数: '5.0', 收入金额: '158.00', 支出金额: '10.94' })
    expect((await bill('fundflowbill')).sha1).toBe(sha1)
  })

  it('come packed where that is asked for, with the hash of what was packed', async () => {
    const plain = await bill('tradebill', { bill_type: 'REFUND' })
    const packed = await bill('tradebill', { bill_type: 'REFUND', tar_type: 'GZIP' })
    expect(packed).toEqual(plain)
  })

  it.each([
    ['tradebill', { bill_type: 'RECHARGE_REFUND' }, 400, 'NO_STATEMENT_EXIST'],
    ['fundflowbill', { account_type: 'OPERATION' }, 400, 'NO_STATEMENT_EXIST'],
    ['fundflowbill', { account_type: 'FEES' }, 400, 'NO_STATEMENT_EXIST'],
    ['tradebill', { bill_type: 'ALL_SPECIAL' }, 403, 'NO_AUTH'],
    ['tradebill', { bill_type: 'all' }, 400, 'PARAM_ERROR'],
    ['fundflowbill', { account_type: 'Basic' }, 400, 'PARAM_ERROR'],
    ['tradebill', { tar_type: 'ZIP' }, 400, 'PARAM_ERROR'],
    ['tradebill', { bill_date: '20260302' }, 400, 'PARAM_ERROR'],
  ])('are not given as %s of %j', async (...[path, query, status, code]) => {
    const answer = await ask(path, { bill_date: DAY, ...query })
    expect(answer).toMatchObject({ status, content: { code } })
    if (code === 'PARAM_ERROR') {
      const [field] = Object.keys(query)
      expect(answer.content['detail']).toMatchObject({ field, location: 'query' })
    }
  })

  it('of a day that is over are the same bytes for ever, each of them', async () => {
    const types = ['ALL', 'SUCCESS', 'REFUND']
    const hashes = () =>
      Promise.all(types.map(async (bill_type) => (await bill('tradebill', { bill_type })).sha1))
    const before = await hashes()
    expect(new Set(before).size).toBe(3)
    await life.platform.settleRefund('RBILL', 'ABNORMAL')
    expect(await hashes()).toEqual(before)
    await life.end()
    life = await begin()
    await life.platform.moveClock(DAY_MS)
    expect(await hashes()).toEqual(before)
  })
})
