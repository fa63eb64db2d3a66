import { describe, expect, it } from 'vitest'
import { textOrNull, timeIn } from '../src/bills/bill-cells.ts'
import { tradeBillLayout } from '../src/bills/bill-layouts.ts'
import { fundFlowBill, tradeBill } from '../src/bills/fetch-bill.ts'
import { type BillLayout, readTable } from '../src/bills/read-table.ts'

const layout: BillLayout<string> = {
  count: 'rows',
  sums: [
    { total: 'all', of: 'yuan' },
    { total: 'in', of: 'yuan', where: ['way', 'in'] },
    { total: 'fees', of: 'fee' },
  ],
  rowReader: (column) => {
    const at = column('name')
    return (cells) => cells[at] ?? ''
  },
}

async function* piecesOf(lines: readonly string[]) {
  yield Buffer.from(lines.join('\r\n'))
}

async function namesIn(lines: readonly string[]): Promise<string[]> {
  const names: string[] = []
  for await (const name of readTable(piecesOf(lines), layout)) names.push(name)
  return names
}

const header = 'name,way,yuan'
const rows = ['`a,`in,`1.00', '`b,`out,`-0.50']
const summary = ['rows,all,in', '`2,`0.50,`1.00']

describe('a table', () => {
  it.each([
    ['as it is written', [header, ...rows, ...summary]],
    ['with empty lines', [header, '', ...rows, '', ...summary, '', '']],
    ['whose summary leaves sums out', [header, ...rows, 'rows', '`2']],
    ['whose summary has a column more', [header, ...rows, 'rows,all,in,more', '`2,`0.50,`1.00,`x']],
    ['whose summary sums a column that it has not', [header, ...rows, 'rows,fees', '`2,`7.00']],
    ['whose sum was rounded, up', [header, ...rows, 'rows,all', '`2,`0.50999']],
    ['whose sum was rounded, down', [header, ...rows, 'rows,all', '`2,`0.49001']],
  ])('%s is read', async (_, lines) => {
    expect(await namesIn(lines)).toEqual(['a', 'b'])
  })

  it('of no rows is read', async () => {
    expect(await namesIn([header, 'rows,all,in', '`0,`0.00,`0.00'])).toEqual([])
  })

  it.each([
    ['without a summary', [header, ...rows], 'no summary'],
    ['with half a summary', [header, ...rows, 'rows,all,in'], 'no summary'],
    ['of nothing', [], 'no summary'],
    ['that begins with a row', rows, 'a row out of place'],
    ['with a row after its summary', [header, ...rows, ...summary, '`c,`in,`1.00'], 'a row out of place'],
    ['with a third header', [header, ...rows, 'rows', 'more'], 'a third header'],
    ['without a column that is read', ['way,yuan', '`in,`1.00', 'rows', '`1'], 'a column is missing'],
    ['with a row that is too short', [header, '`a,`in', 'rows', '`1'], 'a row of another width'],
    ['with a row that is too long', [header, '`a,`in,`1.00,`x', 'rows', '`1'], 'a row of another width'],
    ['that counts one row more', [header, ...rows, 'rows', '`3'], 'the summary counts other rows'],
    ['that counts one row less', [header, ...rows, 'rows', '`1'], 'the summary counts other rows'],
    ['that does not count', [header, ...rows, 'all', '`0.50'], 'not an amount'],
    ['whose sum is a fen more', [header, ...rows, 'rows,all', '`2,`0.51'], 'the summary has another sum'],
    ['whose sum is a fen less', [header, ...rows, 'rows,all', '`2,`0.49'], 'the summary has another sum'],
    [
      'whose sum of some rows is of all',
      [header, ...rows, 'rows,in', '`2,`0.50'],
      'the summary has another sum',
    ],
    ['with an amount that is none', [header, '`a,`in,`one', 'rows', '`1'], 'not an amount'],
    ['whose sum is none', [header, ...rows, 'rows,all', '`2,`'], 'not an amount'],
  ])('%s is not', async (_, lines, problem) => {
    await expect(namesIn(lines)).rejects.toThrow(problem)
  })
})

describe('cells', () => {
  it('that are empty or the zero for "none" hold no text', () => {
    expect(['', '0', '00', 'o'].map((text) => textOrNull([text], 0))).toEqual([null, null, '00', 'o'])
    expect(textOrNull([], 0)).toBeNull()
  })

  it('hold times of China', () => {
    expect(timeIn(['2026-01-01 00:00:00'], 0)).toEqual(new Date('2025-12-31T16:00:00Z'))
    expect(timeIn(['2026-12-31 23:59:59'], 0)).toEqual(new Date('2026-12-31T15:59:59Z'))
  })

  it.each([
    '',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01 00:00:00.0',
    '2026-01-01 00:00:0x',
    '2026-01-01 00:00',
  ])('hold no time as %j', (text) => {
    expect(() => timeIn([text], 0)).toThrow('not a time')
  })
})

describe('a row of trades', () => {
  const cell = (name: string, value: string) => ({ [name]: value })
  const paid = {
    交易时间: '2026-01-01 19:59:58',
    公众账号ID: 'wx0000000000000001',
    商户号: '1230000109',
    微信订单号: '4200002026202601011234567890',
    商户订单号: 'M01HX7Y6Z5QK3V2N8R4T9W1ABCD',
    用户标识: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o',
    交易类型: 'JSAPI',
    交易状态: 'SUCCESS',
    付款银行: 'OTHERS',
    货币种类: 'CNY',
    应结订单金额: '79.00',
    代金券金额: '0.00',
    微信退款单号: '0',
    商户退款单号: '0',
    退款状态: '',
    手续费: '0.47400',
    费率: '0.60%',
    订单金额: '79.00',
    申请退款金额: '0.00',
  }
  function rowOf(changes: Readonly<Record<string, string>>) {
    const row: Record<string, string> = { ...paid, ...changes }
    const names = Object.keys(row)
    return tradeBillLayout.rowReader((name) => names.indexOf(name))(Object.values(row))
  }

  it('that was paid names all that a payment has, its fee in hundred-thousandths and its bank', () => {
    expect(rowOf({})).toMatchObject({
      kind: 'payment',
      orderFen: 7900,
      settledFen: 7900,
      feeHundredThousandths: 47_400,
      rate: '0.60%',
      payment: {
        ...{ source: 'bill', outTradeNo: paid.商户订单号, transactionId: paid.微信订单号, amountFen: 7900 },
        ...{ currency: 'CNY', appId: paid.公众账号ID, mchId: paid.商户号, payerOpenid: paid.用户标识 },
        ...{ tradeType: 'JSAPI', bankType: 'OTHERS', paidAt: new Date('2026-01-01T11:59:58Z') },
      },
    })
  })

  it('may name no bank and no payer', () => {
    expect(rowOf(cell('付款银行', ''))).toMatchObject({ payment: { bankType: null } })
    expect(rowOf(cell('用户标识', ''))).toMatchObject({ payerOpenid: null, payment: { payerOpenid: null } })
  })

  const refund = {
    交易状态: 'REFUND',
    微信退款单号: '50000000382019052709732678859',
    商户退款单号: 'R01HX7Y6Z5QK3V2N8R4T9W1ABCD',
    申请退款金额: '1.00',
  }
  it.each([
    ['SUCCESS', 'succeeded', new Date('2026-01-01T11:59:58Z')],
    ['PROCESSING', 'processing', null],
    ['FAIL', 'closed', null],
    ['CHANGE', 'abnormal', null],
  ])('that was refunded with %s is %s', (word, status, succeededAt) => {
    expect(rowOf({ ...refund, 退款状态: word })).toMatchObject({
      kind: 'refund',
      refundFen: 100,
      refund: {
        ...{
          source: 'bill',
          outRefundNo: refund.商户退款单号,
          refundId: refund.微信退款单号,
          status,
          succeededAt,
        },
        ...{ outTradeNo: paid.商户订单号, transactionId: paid.微信订单号, amountFen: 100, totalFen: null },
        ...{ currency: 'CNY', mchId: paid.商户号 },
      },
    })
  })

  it.each([
    ['a status of a refund that nobody knows', { ...refund, 退款状态: 'OTHER' }],
    ['a refund that was revoked', { ...refund, 交易状态: 'REVOKED', 退款状态: 'SUCCESS' }],
    ['a state that nobody knows', { 交易状态: 'PAID' }],
  ])('with %s is neither', (_, changes) => {
    expect(rowOf(changes)).toMatchObject({ kind: 'other' })
  })
})

describe('where a bill lies', () => {
  const link = {
    hash_type: 'SHA1',
    hash_value: 'AB'.repeat(20),
    download_url: 'https://example.com/bill?token=1',
  }
  const read = (changes: object) => tradeBill('2026-01-01').read({ ...link, ...changes })

  it('comes with the hash of its plain bytes, in small letters', () => {
    expect(read({})).toEqual({ sha1: 'ab'.repeat(20), url: link.download_url })
  })

  it.each([
    ['of another kind', { hash_type: 'MD5' }],
    ['a letter too long in front', { hash_value: `a${link.hash_value}` }],
    ['a letter too long at the end', { hash_value: `${link.hash_value}a` }],
    ['a letter too short', { hash_value: link.hash_value.slice(1) }],
    ['of other letters', { hash_value: 'g'.repeat(40) }],
  ])('is not believed with a hash %s', (_, changes) => {
    expect(read(changes)).toBeUndefined()
  })

  it('is no address where it is none', () => {
    expect(read({ download_url: 'somewhere' })).toBeUndefined()
    expect(tradeBill('2026-01-01').read(null)).toBeUndefined()
  })

  it.each(['2026-1-01', '2026-01-011', '12026-01-01', '20260101', ''])('is not asked for on %j', (day) => {
    expect(() => tradeBill(day)).toThrow('bill_date')
    expect(() => fundFlowBill(day, 'BASIC')).toThrow('bill_date')
  })

  it('is asked for by day, kind and account', () => {
    const asked = '?bill_date=2026-01-01'
    expect(tradeBill('2026-01-01')).toMatchObject({
      name: 'trade_bill',
      method: 'GET',
      path: `/v3/bill/tradebill${asked}&bill_type=ALL&tar_type=GZIP`,
    })
    for (const account of ['BASIC', 'OPERATION', 'FEES'] as const)
      expect(fundFlowBill('2026-01-01', account)).toMatchObject({
        name: 'fund_flow_bill',
        method: 'GET',
        path: `/v3/bill/fundflowbill${asked}&account_type=${account}&tar_type=GZIP`,
      })
  })
})
