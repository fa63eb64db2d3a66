import { auditCount } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { ordersPath } from '../support/operator.ts'
import { readCsv } from '../support/read-csv.ts'
import { paidOrdersAsLines } from '../support/stored-orders.ts'
import { takeOut } from '../support/take-out.ts'

test('the file that finance takes out holds every order of the filter, field by field as the database does', async ({
  finance,
  phone,
}) => {
  for (const plan of ['quarterly', 'monthly', 'yearly']) await phone.buysAndPays(plan)
  const { order: unpaid } = await phone.buys('monthly')
  const takenBefore = await auditCount('export.finish', 'orders')
  await finance.goto(ordersPath('?status=paid'))
  const file = await takeOut(finance, 'CSV 文件')
  expect(file.name).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/)
  const text = file.bytes.toString('utf8')
  const [head, ...lines] = readCsv(text)
  const mark = lines.pop()
  const stored = await paidOrdersAsLines()
  expect(stored.length).toBeGreaterThanOrEqual(3)
  expect(lines).toEqual(stored)
  expect(head?.slice(0, 5)).toEqual(['订单号', '状态', '套餐代码', '套餐', '金额（元）'])
  expect(text).not.toContain(unpaid.out_trade_no)
  expect(mark?.slice(0, 2)).toEqual([`共 ${stored.length} 行`, '由 finance@meridian.test 导出'])
  expect(mark?.[3]).toBe('筛选：状态：已支付')
  await expect(finance.getByText(`${stored.length} 笔 · 收款`)).toBeVisible()
  expect(await auditCount('export.finish', 'orders')).toBe(takenBefore + 1)
  const workbook = await takeOut(finance, 'Excel 工作簿')
  expect(workbook.name).toMatch(/^orders-\d{4}-\d\d-\d\d\.xlsx$/)
  expect(workbook.bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  expect(await auditCount('export.finish', 'orders')).toBe(takenBefore + 2)
})
