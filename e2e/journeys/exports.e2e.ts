import { readFile } from 'node:fs/promises'
import { expectNoSidewaysScroll, expectNoViolations, narrow, turn, wide } from '../support/accessible.ts'
import { ask, auditCount } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { ordersPath } from '../support/operator.ts'
import { readCsv } from '../support/read-csv.ts'
import { buyerOf, paidOrdersAsLines } from '../support/stored-orders.ts'
import { choose, takeOut } from '../support/take-out.ts'
import { world } from '../support/world.ts'

test('the file that finance takes out holds every order of the filter, field by field as the database does', async ({
  finance,
  phone,
}) => {
  for (const plan of ['quarterly', 'monthly', 'yearly']) await phone.buysAndPays(plan)
  const { order: unpaid } = await phone.buys('monthly')
  const takenBefore = await auditCount('export.finish', 'orders')
  const { userId } = await buyerOf(unpaid.out_trade_no)
  await finance.goto(ordersPath(`?status=paid&q=${userId}`))
  const file = await takeOut(finance, 'CSV 文件')
  expect(file.name).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/)
  const text = file.bytes.toString('utf8')
  const [head, ...lines] = readCsv(text)
  const mark = lines.pop()
  const stored = await paidOrdersAsLines(userId)
  expect(stored).toHaveLength(3)
  expect(lines).toEqual(stored)
  expect(head?.slice(0, 5)).toEqual(['订单号', '状态', '套餐代码', '套餐', '金额（元）'])
  expect(text).not.toContain(unpaid.out_trade_no)
  expect(mark?.slice(0, 2)).toEqual([`共 ${stored.length} 行`, '由 finance@meridian.test 导出'])
  expect(mark?.[3]).toBe(`筛选：状态：已支付；搜索：${userId}`)
  await expect(finance.getByText(`${stored.length} 笔 · 收款`)).toBeVisible()
  expect(await auditCount('export.finish', 'orders')).toBe(takenBefore + 1)
  const workbook = await takeOut(finance, 'Excel 工作簿')
  expect(workbook.name).toMatch(/^orders-\d{4}-\d\d-\d\d\.xlsx$/)
  expect(workbook.bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  expect(await auditCount('export.finish', 'orders')).toBe(takenBefore + 2)
})

test.describe('in a shop where jobs run', () => {
  test.beforeEach(({ quietShop: _ }) => {})

  test('whoever had a long list written and went elsewhere is told once that the file is ready, and takes it from there', async ({
    finance,
  }) => {
    await ask(
      `INSERT INTO users (id, openid) SELECT gen_random_uuid(), 'oMany' || n FROM generate_series(1, 5001) n`,
    )
    await finance.goto(`${world().consoleUrl}/users`)
    await choose(finance, 'CSV 文件')
    await expect(finance.getByText('正在后台写入文件')).toBeVisible()
    await finance.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: /^总览/ }).click()
    const news = finance.getByRole('complementary', { name: '新文件' })
    await expect(news.getByText('用户 · CSV 文件已写好')).toBeVisible({ timeout: 60_000 })
    for (const scheme of ['dark', 'light'] as const) {
      await turn(finance, scheme)
      await finance.setViewportSize(narrow)
      await expectNoViolations(finance)
      await expectNoSidewaysScroll(finance)
    }
    await finance.setViewportSize(wide)
    const [file] = await Promise.all([
      finance.waitForEvent('download'),
      news.getByRole('button', { name: '下载' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/)
    await expect(news).toHaveCount(0)
    expect(await auditCount('export.download', 'users')).toBe(1)

    // Another page, loaded whole: the counts, which bring the same file along, are read anew.
    const [counts] = await Promise.all([
      finance.waitForResponse(
        (answer) => answer.url().includes('dashboard.waiting') && answer.frame().url().endsWith('/devices'),
      ),
      finance.goto(`${world().consoleUrl}/devices`),
    ])
    expect(await counts.finished()).toBeNull()
    await expect(finance.getByRole('heading', { level: 1, name: '设备' })).toBeVisible()
    await expect(news).toHaveCount(0)
  })
  test('finance schedules a list for every day, sees its file the next day, and takes it', async ({
    finance,
  }) => {
    await finance.goto(`${world().consoleUrl}/exports`)
    await finance.getByRole('button', { name: '设置定时导出' }).click()
    const dialog = finance.getByRole('dialog', { name: '设置定时导出' })
    await dialog.getByLabel('内容').selectOption('新用户')
    await dialog.getByLabel('格式').selectOption('CSV')
    await dialog.getByLabel('同时发送到兼容 S3 的存储').check()
    await expect(dialog.getByLabel('存储地址')).toBeVisible()
    await expectNoViolations(finance)
    await dialog.getByLabel('保留在这里供下载').check()
    await dialog.getByRole('button', { name: '设置定时导出' }).click()
    const schedules = finance.getByRole('table', { name: '定时导出' })
    await expect(schedules.getByRole('row', { name: /新用户 · CSV.*已启用/ })).toBeVisible()
    // Its hour came a day ago.
    await ask('UPDATE export_schedules SET next_day = next_day - 2')
    await ask(`SELECT graphile_worker.add_job('start_due_exports', '{}')`)
    const download = schedules.getByRole('button', { name: '下载' })
    await expect(download).toBeVisible({ timeout: 60_000 })
    for (const scheme of ['dark', 'light'] as const) {
      await turn(finance, scheme)
      await finance.setViewportSize(narrow)
      await expectNoViolations(finance)
      await expectNoSidewaysScroll(finance)
    }
    await finance.setViewportSize(wide)
    const [file] = await Promise.all([finance.waitForEvent('download'), download.click()])
    expect(file.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.csv$/)
    const [head] = readCsv(await readFile(await file.path(), 'utf8'))
    expect(head?.slice(0, 2)).toEqual(['用户编号', '昵称'])
    await schedules.getByRole('button', { name: '暂停' }).click()
    await expect(schedules.getByText('已暂停')).toBeVisible()
  })
})
