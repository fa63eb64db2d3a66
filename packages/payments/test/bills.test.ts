import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { withoutColumn } from '../src/bills/bill-cells.ts'
import { tradeBillLayout } from '../src/bills/bill-layouts.ts'
import { exactDecimal } from '../src/bills/bill-text.ts'
import { fieldsOf, MalformedBill, readTable } from '../src/bills/read-table.ts'
import { type FundFlowRow, PaymentsError, type TradeBillRow } from '../src/index.ts'
import { anOrder, openWorld, type World } from './world/world.ts'

const BillVectors = z.object({
  line_vectors: z.array(z.object({ line: z.string(), fields: z.array(z.string()) })),
  small_bill: z.object({
    utf8_base64: z.string(),
    gzip_base64: z.string(),
    expected_rows: z.array(z.record(z.string(), z.string())),
  }),
})
const vectors = BillVectors.parse(
  JSON.parse(readFileSync(new URL('./vectors/bill-csv.json', import.meta.url), 'utf8')),
)
const plain = Buffer.from(vectors.small_bill.utf8_base64, 'base64')

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function rowsOf(bytes: Uint8Array, size = 1 << 16): Promise<TradeBillRow[]> {
  const rows: TradeBillRow[] = []
  for await (const row of readTable(inPieces(bytes, size), tradeBillLayout)) rows.push(row)
  return rows
}

describe('the text of a bill', () => {
  it('is read as the published extract says, wherever the pieces break', async () => {
    for (const size of [1, 7, 64, 5000]) {
      const rows = await rowsOf(plain, size)
      expect(rows).toHaveLength(5)
      rows.forEach((row, at) => {
        const expected = vectors.small_bill.expected_rows[at] ?? {}
        expect(row.transactionId).toBe(expected['微信订单号'])
        expect(row.outTradeNo).toBe(expected['商户订单号'])
        expect(row.orderFen).toBe(exactDecimal(expected['订单金额'] ?? '', 2))
        expect(row.feeHundredThousandths).toBe(exactDecimal(expected['手续费'] ?? '', 5))
        expect(row.kind).toBe(expected['交易状态'] === 'REFUND' ? 'refund' : 'payment')
      })
      expect(rows[0]?.tradedAt.toISOString()).toBe('2019-02-18T21:01:46.000Z')
    }
    expect(gunzipSync(Buffer.from(vectors.small_bill.gzip_base64, 'base64'))).toEqual(plain)
  })

  it.each(vectors.line_vectors)('takes $line apart', ({ line, fields }) => {
    expect(fieldsOf(line)).toEqual(fields)
  })

  it.each([
    ['a summary that counts other rows', (text: string) => text.replace('`5.0,', '`6.0,')],
    ['a summary with another sum', (text: string) => text.replace('`0.05', '`0.06')],
    ['a row before its header', (text: string) => `\`1,\`2\r\n${text}`],
    ['no summary', (text: string) => text.slice(0, text.indexOf('总交易单数'))],
    ['a row of another width', (text: string) => text.replace(',`autotest,', ',')],
    ['an amount that is none', (text: string) => text.replace('`0.03', '`0.0x')],
    ['a missing column', (text: string) => text.replace('微信订单号', '别的')],
  ])('is refused with %s', async (_, spoil) => {
    await expect(rowsOf(Buffer.from(spoil(plain.toString('utf8'))))).rejects.toBeInstanceOf(MalformedBill)
  })

  /** The summary with one of its cells changed. */
  const withTotal = (name: string, total: string): Buffer => {
    const lines = plain.toString('utf8').split('\r\n')
    const at = lines.findIndex((line) => line.startsWith('总交易单数'))
    const cells = fieldsOf(lines[at + 1] ?? '')
    const changed = cells.with((lines[at] ?? '').split(',').indexOf(name), total)
    return Buffer.from(lines.with(at + 1, `\`${changed.join(',`')}`).join('\r\n'))
  }

  it.each([
    ['应结订单总金额', '0.05'],
    ['退款总金额', '0.02'],
    ['充值券退款总金额', '0.0'],
    ['手续费总金额', '0.01'],
    ['订单总金额', '0.05'],
    ['申请退款总金额', '0.02'],
  ])('is refused where %s is another sum than %s', async (name, total) => {
    expect(await rowsOf(withTotal(name, total))).toHaveLength(5)
    await expect(rowsOf(withTotal(name, '9.00'))).rejects.toBeInstanceOf(MalformedBill)
  })

  it('is kept without a column the same, wherever the pieces break', async () => {
    const keptOf = async (size: number) => {
      const kept: Uint8Array[] = []
      for await (const piece of withoutColumn(inPieces(plain, size), '用户标识')) kept.push(piece)
      return Buffer.concat(kept).toString('utf8')
    }
    const whole = await keptOf(1 << 16)
    expect(whole.split('\r\n')).toHaveLength(plain.toString('utf8').split('\r\n').length)
    for (const size of [1, 7, 64]) expect(await keptOf(size)).toBe(whole)
  })

  it.each([
    ['29.00', 2, 2900],
    ['0.1', 2, 10],
    ['-0.00600', 5, -600],
    ['45.0', 0, 45],
    ['1000000.00', 2, 100_000_000],
    ['0.005', 2, null],
    ['1.', 2, null],
    ['.5', 2, null],
    ['1e3', 2, null],
    ['', 2, null],
    ['99999999999999999.00', 2, null],
  ])('turns %s at %i places into %s exactly', (text, places, value) => {
    expect(exactDecimal(text, places)).toBe(value)
  })
})

const NOON = new Date('2026-01-02T12:00:00+08:00')
const YESTERDAY = '2026-01-01'

describe('a bill of the platform', () => {
  let world: World
  const fixed = { now: () => NOON }
  /** What is downloaded in place of the bill. */
  let instead: ReadableStream<Uint8Array> | null = null
  const fetchOrInstead: typeof fetch = async (input, init) =>
    instead && String(input).includes('/billdownload/') ? new Response(instead) : fetch(input, init)
  // A folder of our own: others on this machine keep bills for a moment too.
  const own = mkdtempSync(join(tmpdir(), 'test-of-bills-'))
  beforeAll(async () => {
    vi.stubEnv('TMPDIR', own)
    const runtime = { ...fixed, fetch: fetchOrInstead }
    world = await openWorld({ ...fixed, refundsSettleAfterMs: null, runtime })
  })
  afterAll(async () => {
    await world.close()
    vi.unstubAllEnvs()
    rmSync(own, { recursive: true })
  })
  beforeEach(() => world.platform.plantDifferences([]))
  afterEach(() => {
    expect(readdirSync(own)).toEqual([])
    world.platform.faults.clear()
    instead = null
  })

  async function collect<Row>(bill: { state: string; rows?: () => AsyncIterable<Row> }): Promise<Row[]> {
    const rows: Row[] = []
    if (bill.rows) for await (const row of bill.rows()) rows.push(row)
    return rows
  }

  const paidAt = new Date(`${YESTERDAY}T10:00:00+08:00`)
  let outTradeNo = ''
  beforeAll(async () => {
    for (let n = 0; n < 3; n += 1) {
      const order = anOrder({ expiresAt: new Date(NOON.getTime() + 60_000) })
      await world.payments.prepay(order)
      await world.platform.pay(order.outTradeNo, { paidAt, silent: true })
      outTradeNo = order.outTradeNo
    }
  })

  it('gives a confirmed payment for each row', async () => {
    const rows = await collect<TradeBillRow>(await world.payments.tradeBill(YESTERDAY))
    expect(rows).toHaveLength(3)
    const row = rows.find((one) => one.outTradeNo === outTradeNo)
    expect(row).toMatchObject({
      kind: 'payment',
      orderFen: 7900,
      feeHundredThousandths: 47_400,
      payment: { source: 'bill', amountFen: 7900, currency: 'CNY', appId: world.payments.appId, paidAt },
    })
  })

  it('shows refunds of the day they were asked for', async () => {
    await world.payments.requestRefund({ outRefundNo: 'RBILL1', outTradeNo, amountFen: 100, totalFen: 7900 })
    world.platform.setBillsAtOnce(true)
    const [row] = await collect<TradeBillRow>(await world.payments.tradeBill('2026-01-02'))
    world.platform.setBillsAtOnce(false)
    expect(row).toMatchObject({
      kind: 'refund',
      orderFen: 0,
      refundFen: 100,
      refund: { status: 'processing', amountFen: 100, totalFen: null, outRefundNo: 'RBILL1' },
    })
  })

  it('of trades is kept without the payer, and otherwise as it came', async () => {
    const bill = await world.payments.tradeBill(YESTERDAY)
    if (bill.state !== 'ready') throw new Error('not there')
    const kept: Uint8Array[] = []
    for await (const piece of bill.bytes()) kept.push(piece)
    const [header = '', row = '', ...rest] = Buffer.concat(kept).toString('utf8').split('\r\n')
    const payer = header.split(',').indexOf('用户标识')
    const cells = row.slice(1).split(',`')
    expect(payer).toBeGreaterThan(0)
    expect(cells).toHaveLength(header.split(',').length)
    expect(cells.flatMap((cell, at) => (cell === '' ? [at] : []))).toContain(payer)
    expect(cells[header.split(',').indexOf('商户订单号')]).toMatch(/^[0-9A-Za-z]+$/)
    expect(rest.join()).toContain('总交易单数')
    const [read] = await collect<TradeBillRow>(bill)
    expect(read?.payerOpenid).toBeTruthy()
    expect(Buffer.concat(kept).toString('utf8')).not.toContain(read?.payerOpenid)
  })

  it('of funds adds up and can be kept as it came', async () => {
    const bill = await world.payments.fundFlowBill(YESTERDAY)
    if (bill.state !== 'ready') throw new Error('not there')
    const kept: Uint8Array[] = []
    for await (const piece of bill.bytes()) kept.push(piece)
    expect(Buffer.concat(kept).toString('utf8')).toContain('资金流水总笔数')
    const rows = await collect<FundFlowRow>(bill)
    expect(rows.map(({ direction, amountFen }) => [direction, amountFen])).toEqual(
      Array.from({ length: 3 }, () => [
        ['in', 7900],
        ['out', 47],
      ]).flat(),
    )
  })

  it('can differ from the orders where that was planted', async () => {
    world.platform.plantDifferences([{ kind: 'wrong_amount', outTradeNo, byFen: 100 }])
    const rows = await collect<TradeBillRow>(await world.payments.tradeBill(YESTERDAY))
    expect(rows.find((row) => row.outTradeNo === outTradeNo)?.orderFen).toBe(8000)
    world.platform.plantDifferences([{ kind: 'missing', outTradeNo }])
    expect(await collect(await world.payments.tradeBill(YESTERDAY))).toHaveLength(2)
  })

  it('is not there for a day without trade, nor for today', async () => {
    expect(await world.payments.tradeBill('2025-12-30')).toMatchObject({ state: 'no_statement' })
    await expect(world.payments.tradeBill('2026-01-02')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    await expect(world.payments.tradeBill('yesterday')).rejects.toMatchObject({ reason: 'invalid_request' })
  })

  it('whose bytes were altered on the way gives no row at all', async () => {
    world.platform.faults.add({ kind: 'corrupt_byte', at: 'bill_download', times: 1 })
    await expect(world.payments.tradeBill(YESTERDAY)).rejects.toBeInstanceOf(PaymentsError)
  })

  const MIB = 1024 ** 2
  it.each([
    // Packed files one after the other are one (RFC 1952 §2.2).
    ['unpacks to more than 512 MiB', gzipSync(Buffer.alloc(16 * MIB)), { pieces: 33, mostTaken: 34 }],
    ['is longer than 64 MiB as it comes', Buffer.alloc(MIB), { pieces: 80, mostTaken: 68 }],
  ])('that %s is refused before there is a row, and no more of it is taken', async (_, piece, bounds) => {
    let taken = 0
    instead = new ReadableStream({
      pull: (download) => {
        taken += 1
        if (taken > bounds.pieces) download.close()
        else download.enqueue(piece)
      },
    })
    await expect(world.payments.tradeBill(YESTERDAY)).rejects.toMatchObject({
      reason: 'malformed_answer',
      about: 'the bill is too long',
    })
    expect(taken).toBeLessThanOrEqual(bounds.mostTaken)
  })

  it('leaves nothing on the disk when it is not wanted after all', async () => {
    const bill = await world.payments.tradeBill(YESTERDAY)
    if (bill.state !== 'ready') throw new Error('not there')
    await bill.discard()
    expect(existsSync(tmpdir())).toBe(true)
  })
})

it('a bill of the early morning is still being made', async () => {
  const early = { now: () => new Date('2026-01-02T08:00:00+08:00') }
  const world = await openWorld({ ...early, runtime: early })
  expect(await world.payments.tradeBill(YESTERDAY)).toMatchObject({ state: 'creating' })
  await world.close()
})
