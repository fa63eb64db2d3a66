import { addFinance, daysOfMonth } from '@meridian/contracts'
import { beforeAll, describe, expect, test } from 'vitest'
import { signedInConsole } from '../world/console.ts'
import { doJob } from '../world/do-jobs.ts'
import { refundToItsEnd } from '../world/send-refund.ts'
import { openFile, openMonthPack, takeMonthPack } from '../world/take-file.ts'
import { tamper } from '../world/tamper.ts'
import { useTestWorld } from '../world/use-opened.ts'

const world = useTestWorld()
let finance: Awaited<ReturnType<typeof signedInConsole>>
let operator: Awaited<ReturnType<typeof signedInConsole>>
let order: { outTradeNo: string; transactionId: string }
const month = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7)
const { from } = daysOfMonth(month)
const paidAt = new Date(`${from}T00:00:01+08:00`)

beforeAll(async () => {
  finance = await signedInConsole(world, { email: 'finance@example.com', role: 'finance' })
  operator = await signedInConsole(world, { email: 'operator@example.com', role: 'operator' })
  const phone = await world.phone()
  const purchase = await phone.buys()
  await phone.pays(purchase, { paidAt })
  const [row] = await world.query<{ id: string }>('SELECT transaction_id AS id FROM orders')
  order = { outTradeNo: purchase.order.out_trade_no, transactionId: row?.id ?? '' }
  const [who] = await world.query<{ id: string }>('SELECT id FROM operators LIMIT 1')
  await refundToItsEnd(world, { outTradeNo: order.outTradeNo, amountFen: 1205, operatorId: who?.id ?? '' })
  await world.query(
    `INSERT INTO bills (kind, bill_date, sha1) VALUES ('trade', $1, repeat('a', 40)), ('trade', $1, repeat('b', 40))`,
    [from],
  )
  await world.query(
    `INSERT INTO bill_rows (bill_id, line, kind, traded_at, transaction_id, out_trade_no, status, amount_fen, settled_fen,
       fee_hundred_thousandths, rate)
     SELECT id, 1, 'payment', $1, $2, $3, 'SUCCESS', 2900, 2900, 17400, '0.60%' FROM bills`,
    [paidAt, order.transactionId, order.outTradeNo],
  )
  await world.query('UPDATE bills SET row_count = 1')
  await world.query(
    `INSERT INTO reconciliation_days (date, state, order_fen, ledger_fen, bill_fen, matched_at) VALUES ($1, 'matched', 2900, 2900, 2900, business_now())`,
    [from],
  )
  await world.query(
    `INSERT INTO reconciliation_differences (date, kind, subject, out_trade_no, suggested_action, bill_gap_fen, ledger_gap_fen)
     VALUES ($1, 'amount', $2, $2, 'check_amount', -100, 50)`,
    [from, order.outTradeNo],
  )
})

const open = (language: 'zh-CN' | 'en' = 'en') =>
  openMonthPack(world, { token: finance.token, query: { month }, language })

describe('the pack of a month', () => {
  test('is one workbook: ids stay text, amounts are numbers in yuan, days and times are dates', async () => {
    const { answer } = await takeMonthPack(world, { token: finance.token, query: { month } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toContain(`finance-${month}.xlsx`)
    const { sheets, rowsOf } = await open()
    expect(Object.keys(sheets)).toEqual([
      'Summary',
      'Orders',
      'Refunds',
      'Fees',
      'Deferred income',
      'Differences',
      'Closings',
    ])
    expect(rowsOf('Orders')).toMatchObject([
      {
        'Paid (Beijing time)': new Date(`${from}T00:00:01Z`),
        'Order number': order.outTradeNo,
        'Transaction ID': order.transactionId,
        'Amount (yuan)': 29,
        'Refunded to date (yuan)': 12.05,
        'Net to date (yuan)': 16.95,
        'Fee to date (yuan)': 0.17,
        'Reported after closing': 'No',
      },
    ])
    expect(rowsOf('Refunds')).toMatchObject([
      {
        'Order number': order.outTradeNo,
        'Amount (yuan)': -12.05,
        'Succeeded (Beijing time)': expect.any(Date),
      },
    ])
    expect(rowsOf('Fees')).toMatchObject([
      {
        Date: new Date(`${from}T00:00:00Z`),
        'Transaction ID': order.transactionId,
        'Fee (yuan)': 0.174,
        Rate: '0.60%',
      },
    ])
    expect(rowsOf('Differences')).toMatchObject([
      {
        Type: 'Amount differs',
        Status: 'Open',
        'Bill less orders (yuan)': -1,
        'Orders less ledger (yuan)': 0.5,
      },
    ])
    expect(rowsOf('Closings')).toHaveLength(Number(daysOfMonth(month).to.slice(-2)))
    expect(rowsOf('Closings')[0]).toMatchObject({
      Status: 'Matched',
      'Bill (yuan)': 29,
      'Closed at (Beijing time)': null,
    })
  })

  test('says in its summary what the page says, and that the month is open', async () => {
    const shown = await finance.console.finance.month.query({ month })
    const sums = addFinance(shown.channels)
    const [heads, ...lines] = (await open()).sheets['Summary'] ?? []
    expect(heads).toEqual([month, 'WeChat Pay', 'Virtual payment', 'Total'])
    const totals = Object.fromEntries(lines.map(([name, ...columns]) => [name, columns.at(-1)]))
    expect(totals).toMatchObject({
      Payments: sums.orders,
      'Gross (yuan)': sums.grossFen / 100,
      'Refunds (yuan)': -sums.refundFen / 100,
      'Fees (yuan)': -sums.feeFen / 100,
    })
    expect(lines.flat()).toContain('Open month: the figures may still change')
    expect(Object.keys((await open('zh-CN')).sheets)[0]).toBe('汇总')
  })

  test('holds deferred income day by day, as the page and its own file have it', async () => {
    await doJob(world, 'add_up', {})
    const { days } = await finance.console.revenue.deferred.query({ month })
    expect(days.length).toBeGreaterThan(0)
    const expected = days.map((day) => ({
      Date: new Date(`${day.day}T00:00:00Z`),
      'Opening deferred income (yuan)': day.openingFen / 100,
      'New (yuan)': day.newFen / 100,
      'Refunded (yuan)': 0 - day.refundedFen / 100,
      'Recognized (yuan)': 0 - day.earnedFen / 100,
      'Closing deferred income (yuan)': day.closingFen / 100,
    }))
    expect((await open()).rowsOf('Deferred income')).toEqual(expected)
    const { rows, mark } = await openFile(world, {
      name: 'deferred',
      format: 'xlsx',
      token: finance.token,
      query: { month, channel: 'jsapi' },
    })
    expect(rows).toEqual(expected)
    expect(mark[3]).toBe(`Filter: Month: ${month}; Channel: WeChat Pay`)
  })

  test('marks what a closing does not hold', async () => {
    await tamper(
      world,
      `INSERT INTO month_closings (month, closed_by, line_id, rows, checksum, sums)
       SELECT '${from}', id, 0, 0, repeat('0', 64), '[]' FROM operators LIMIT 1`,
    )
    const { sheets, rowsOf } = await open()
    expect(rowsOf('Orders')).toMatchObject([{ 'Reported after closing': 'Yes' }])
    expect(rowsOf('Refunds')).toMatchObject([{ 'Reported after closing': 'Yes' }])
    expect(String(sheets['Summary']?.flat().find((cell) => String(cell).includes('SHA-256')))).toContain(
      'Closed by',
    )
  })

  test('is on record before its first byte and after its last, and refused to who may not take lists out', async () => {
    const entries = await world.query<{ action: string; after: object }>(
      `SELECT action, after FROM audit_entries WHERE subject_id = 'month-pack' ORDER BY id LIMIT 2`,
    )
    expect(entries).toEqual([
      { action: 'export.start', after: { filter: { month } } },
      { action: 'export.finish', after: { filter: { month }, rows: expect.any(Number), whole: true } },
    ])
    const statusFor = async ({ token }: { token: string }, query: object) =>
      (await takeMonthPack(world, { token, query })).answer.status
    expect(await statusFor(operator, { month })).toBe(403)
    expect(await statusFor(finance, { month: '2026-13' })).toBe(400)
  })
})
