import { readFile } from 'node:fs/promises'
import { auditCount } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { ordersPath } from '../support/operator.ts'
import { readCsv } from '../support/read-csv.ts'
import { paidOrdersAsLines } from '../support/stored-orders.ts'

test('the file that finance takes out holds every order of the filter, field by field as the database does', async ({
  signedIn,
  phone,
}) => {
  for (const plan of ['quarterly', 'monthly', 'yearly']) await phone.buysAndPays(plan)
  const { order: unpaid } = await phone.buys('monthly')
  const takenBefore = await auditCount('export.finish', 'orders')
  const finance = await signedIn('finance')
  await finance.goto(ordersPath('?status=paid'))
  const [file] = await Promise.all([
    finance.waitForEvent('download'),
    finance.getByRole('button', { name: '导出 CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  const [head, ...lines] = readCsv(text)
  const mark = lines.pop()
  const stored = await paidOrdersAsLines()
  expect(stored.length).toBeGreaterThanOrEqual(3)
  expect(lines).toEqual(stored)
  expect(head?.slice(0, 5)).toEqual(['订单号', '状态', '套餐代码', '套餐', '金额（元）'])
  expect(text).not.toContain(unpaid.out_trade_no)
  expect(mark?.slice(0, 2)).toEqual([`共 ${stored.length} 行`, '由 finance@meridian.test 导出'])
  await expect(finance.getByText(`${stored.length} 笔，合计`)).toBeVisible()
  expect(await auditCount('export.finish', 'orders')).toBe(takenBefore + 1)
})
