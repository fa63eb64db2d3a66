import { readFile } from 'node:fs/promises'
import { formatFen } from '@meridian/contracts'
import type { Page } from '@playwright/test'
import { countPresses } from '../support/count-presses.ts'
import { askOne } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { tabTo } from '../support/keyboard.ts'
import { fact, orderPath } from '../support/operator.ts'
import { plantClosedMonth } from '../support/planted-desks.ts'
import { readWorkbook } from '../support/read-workbook.ts'
import { world } from '../support/world.ts'

/** Half of a month that was paid goes back. */
async function refundsHalf(finance: Page, outTradeNo: string): Promise<void> {
  await finance.goto(orderPath(outTradeNo))
  await finance.getByRole('button', { name: '退款', exact: true }).click()
  const dialog = finance.getByRole('dialog', { name: `退款：订单 ${outTradeNo}` })
  await dialog.getByRole('button', { name: '订单的一半 ¥14.50' }).click()
  await dialog.getByLabel('输入订单号的最后 6 位以确认').fill(outTradeNo.slice(-6))
  await dialog.getByRole('button', { name: '退款 ¥14.50' }).click()
  await expect(finance).toHaveURL(/\/refunds\/R/)
  await finance.getByRole('button', { name: '向微信查询或重试' }).click()
  await expect(finance.getByText('已退款').first()).toBeVisible()
}

const monthSql = `left((business_now() AT TIME ZONE 'Asia/Shanghai')::text, 7)`
const within = (instant: string) => `left((${instant} AT TIME ZONE 'Asia/Shanghai')::text, 7) = ${monthSql}`

/** The month by the ledgers themselves. */
const ledger = () =>
  askOne<{
    month: string
    orders: number
    grossFen: number
    refunds: number
    refundFen: number
    allFen: number
  }>(`
    SELECT ${monthSql} AS month, count(*)::int AS orders, sum(amount_fen)::int AS "grossFen",
      (SELECT count(*)::int FROM refunds WHERE ${within('succeeded_at')}) AS refunds,
      (SELECT coalesce(sum(amount_fen), 0)::int FROM refunds WHERE ${within('succeeded_at')}) AS "refundFen",
      (SELECT sum(amount_fen - refunded_fen)::int FROM orders WHERE paid_at IS NOT NULL) AS "allFen"
    FROM orders WHERE ${within('paid_at')}`)

const yuan = (fen: number) => fen / 100
const sumOf = (rows: readonly (readonly unknown[])[], column: number) =>
  Math.round(rows.reduce((sum, row) => sum + Number(row[column]) * 100, 0))

test('a month for the accountant is one press, and its sheets are the ledgers to the fen: numbers as numbers, long ids as text', async ({
  finance,
  phone,
}) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await phone.buysAndPays('quarterly')
  await refundsHalf(finance, out_trade_no)
  await finance.goto(`${world().consoleUrl}/finance`)
  const pressed = await countPresses(finance)
  const [file] = await Promise.all([
    finance.waitForEvent('download'),
    finance.getByRole('button', { name: '下载月度资料' }).click(),
  ])
  expect(pressed()).toEqual({ clicks: 1, keys: 0, characters: 0 })
  const stored = await ledger()
  expect(file.suggestedFilename()).toBe(`finance-${stored.month}.xlsx`)
  const sheets = readWorkbook(await readFile(await file.path()))
  expect(Object.keys(sheets)).toEqual(['汇总', '订单', '退款', '手续费', '递延收入', '对账差异', '关账'])

  const [heads = [], ...orders] = sheets['订单'] ?? []
  const [number, transaction, amount] = [
    heads.indexOf('订单号'),
    heads.indexOf('平台交易号'),
    heads.indexOf('金额（元）'),
  ]
  expect(orders).toHaveLength(stored.orders)
  expect(sumOf(orders, amount)).toBe(stored.grossFen)
  for (const order of orders)
    expect([typeof order[number], typeof order[transaction], typeof order[amount]]).toEqual([
      'string',
      'string',
      'number',
    ])
  expect(orders.map((order) => order[number])).toContain(out_trade_no)

  const [refundHeads = [], ...refunds] = sheets['退款'] ?? []
  expect(refunds).toHaveLength(stored.refunds)
  expect(sumOf(refunds, refundHeads.indexOf('金额（元）'))).toBe(-stored.refundFen)

  const totals = new Map(sheets['汇总']?.map((row) => [row[0], row.at(-1)]))
  expect([totals.get('收款（元）'), totals.get('退款（元）')]).toEqual([
    yuan(stored.grossFen),
    -yuan(stored.refundFen),
  ])

  const [, ...days] = sheets['递延收入'] ?? []
  const [opening, closing] = [Number(days[0]?.[1]) * 100, Number(days.at(-1)?.[5]) * 100]
  const moved = sumOf(days, 2) + sumOf(days, 3) + sumOf(days, 4)
  expect(Math.round(opening) + moved).toBe(Math.round(closing))
  for (const [index, day] of days.entries()) if (index > 0) expect(day[1]).toBe(days[index - 1]?.[5])
})

test('finance reads what is deferred beside all orders, and takes it out by day', async ({
  finance,
  phone,
}) => {
  await phone.buysAndPays('yearly')
  await finance.goto(`${world().consoleUrl}/finance`)
  await finance.getByRole('link', { name: '按套餐的收入、流失、同期群和递延收入' }).click()
  await expect(finance.getByRole('heading', { name: '收入分析', level: 1 })).toBeVisible()
  const compared = finance.getByRole('region', { name: '与全部订单核对' })
  await expect(compared.getByText('分毫不差')).toBeVisible()
  const { grossFen } = await askOne<{ grossFen: number }>(
    'SELECT sum(amount_fen)::int AS "grossFen" FROM orders WHERE paid_at IS NOT NULL',
  )
  await expect(compared).toContainText(formatFen(grossFen))
  await finance.getByText('以表格查看').click()
  await expect(finance.getByRole('table', { name: '每日递延收入' }).getByRole('row')).not.toHaveCount(0)
  await finance.getByRole('combobox', { name: '渠道' }).click()
  await finance.getByRole('option', { name: '虚拟支付' }).click()
  await expect(finance).toHaveURL(/[?&]channel=virtual/)
  await expect(compared).not.toContainText(formatFen(grossFen))
})

/** Years before the month that others find ready to be closed: furnished desks take the days before that one, two by two. */
const month = '2010-02'

test('a month whose days are all closed is closed by the keyboard alone, once', async ({ finance }) => {
  await plantClosedMonth(month)
  await finance.goto(`${world().consoleUrl}/finance?month=${month}`)
  const close = finance.getByRole('button', { name: '月度关账' })
  await expect(close).toHaveAttribute('aria-disabled', 'false')
  const pressed = await countPresses(finance)
  // From the very start of the page: past the navigation by its first link, then through what stands before the act.
  await tabTo(finance, finance.getByRole('link', { name: '跳到正文' }))
  await finance.keyboard.press('Enter')
  await tabTo(finance, close)
  await finance.keyboard.press('Enter')
  const dialog = finance.getByRole('dialog')
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await finance.keyboard.type(month)
  await finance.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  // Two keys past the navigation, five to the act, one that opens it, one that confirms the month as typed.
  await expect.poll(pressed).toEqual({ clicks: 0, keys: 9, characters: 7 })
  await expect(finance.getByRole('main')).toContainText('关账人：')
  await expect(close).not.toHaveAttribute('aria-disabled', 'false')
  const { closed } = await askOne<{ closed: number }>(
    `SELECT count(*)::int AS closed FROM month_closings WHERE month = '${month}-01'`,
  )
  expect(closed).toBe(1)
})

/** When an order was paid, by the shop's clock. */
const paidAtOf = (outTradeNo: string) =>
  askOne<{ paidAt: string }>(
    `SELECT to_char(paid_at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI:SS') AS "paidAt"
     FROM orders WHERE out_trade_no = $1`,
    outTradeNo,
  )

test('a customer gets a receipt in their own language, and nothing but the sheet is printed', async ({
  finance,
  phone,
}) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await finance.goto(orderPath(out_trade_no))
  await finance.getByRole('link', { name: '收据' }).click()
  await expect(finance).toHaveURL(/\/receipt$/)
  const paper = finance.getByRole('article')
  await expect(paper).toHaveAttribute('lang', 'zh-CN')
  await finance.getByRole('combobox', { name: '收据语言' }).click()
  await finance.getByRole('option', { name: 'English' }).click()
  await expect(paper).toHaveAttribute('lang', 'en')
  const { paidAt } = await paidAtOf(out_trade_no)
  const lines = {
    'Order number': out_trade_no,
    'Paid at': `${paidAt} (Beijing time)`,
    Days: '30',
    Amount: '¥29.00',
    'Amount in Chinese capitals': '人民币贰拾玖元整',
  }
  for (const [term, said] of Object.entries(lines)) await expect(fact(finance, term)).toHaveText(said)
  await finance.emulateMedia({ media: 'print' })
  await expect(paper).toBeVisible()
  await expect(finance.getByRole('navigation')).toHaveCount(0)
  await expect(finance.getByRole('button')).toHaveCount(0)
})
