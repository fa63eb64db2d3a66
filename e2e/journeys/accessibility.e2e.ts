import type { Page } from '@playwright/test'
import { expectNoSidewaysScroll, expectNoViolations, narrow, turn, wide } from '../support/accessible.ts'
import { expect, test } from '../support/journey.ts'
import { deep } from '../support/looks.ts'
import { orderPath, ordersPath } from '../support/operator.ts'
import { plantReconciledDay } from '../support/planted-desks.ts'
import { buyerOf } from '../support/stored-orders.ts'
import { world } from '../support/world.ts'

/** One combination in the ordinary run; where time is no matter, what is open is looked at in the dark as well. */
async function expectAccessible(page: Page) {
  for (const colorScheme of deep ? (['dark', 'light'] as const) : [null]) {
    if (colorScheme) await turn(page, colorScheme)
    await expectNoViolations(page)
  }
}

/** What is on the page is accessible as it is, and does not scroll sideways on a phone. */
async function expectFits(page: Page) {
  await expectAccessible(page)
  await page.setViewportSize(narrow)
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1280, height: 860 })
}

test('the order list is accessible and fits a phone', async ({ operator, phone }) => {
  const order = await phone.buysAndPays('monthly')
  await operator.goto(ordersPath())
  await expect(operator.getByText(order.out_trade_no).first()).toBeVisible()
  await expectFits(operator)
})

test('an order is accessible in the dark and fits a phone', async ({ operator, phone }) => {
  const order = await phone.buysAndPays('monthly')
  await operator.emulateMedia({ colorScheme: 'dark' })
  await operator.goto(orderPath(order.out_trade_no))
  await expect(operator.getByRole('list', { name: '时间线' })).toBeVisible()
  await expectFits(operator)
})

test('people and devices are accessible in lists and details, and fit a phone', async ({
  operator,
  phone,
}) => {
  const [id, serial] = [await phone.isKnownAs(), 'AXE-0001']
  await phone.binds(serial)
  await phone.buysAndPays('monthly')
  await operator.goto(`${world().consoleUrl}/users`)
  await expect(operator.getByRole('table', { name: '用户列表' }).getByRole('link').first()).toBeVisible()
  await expectFits(operator)
  await operator.goto(`${world().consoleUrl}/users/${id}`)
  await expect(operator.getByRole('region', { name: '登录' })).toBeVisible()
  await expectFits(operator)
  await operator.emulateMedia({ colorScheme: 'dark' })
  await operator.goto(`${world().consoleUrl}/devices`)
  await expect(operator.getByRole('table', { name: '设备列表' }).getByRole('link').first()).toBeVisible()
  await expectFits(operator)
  await operator.goto(`${world().consoleUrl}/devices/${serial}`)
  await expect(operator.getByRole('region', { name: '绑定记录' })).toBeVisible()
  await expectFits(operator)
  await operator.goto(`${world().consoleUrl}/devices/import`)
  await operator.getByLabel('选择 CSV 文件').setInputFiles({
    name: 'faulty.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('serial_number,model\nX,M1\n'),
  })
  await expect(operator.getByRole('table', { name: '错误' })).toBeVisible()
  await expectFits(operator)
})

test('the staff and one of them are accessible and fit a phone', async ({ operator }) => {
  await operator.goto(`${world().consoleUrl}/staff`)
  await expect(operator.getByRole('link', { name: 'viewer@meridian.test' })).toBeVisible()
  await expectFits(operator)
  await operator.emulateMedia({ colorScheme: 'dark' })
  await operator.getByRole('link', { name: 'viewer@meridian.test' }).click()
  await expect(operator).toHaveURL(/\/staff\/./)
  await expect(operator.getByRole('button', { name: '重置密码' })).toBeVisible()
  await expectFits(operator)
})

test('the audit log, an act of it and one’s own account are accessible and fit a phone', async ({
  operator,
}) => {
  await operator.goto(`${world().consoleUrl}/audit`)
  await expect(operator.getByRole('table', { name: '操作列表' })).toBeVisible()
  await expectFits(operator)
  await operator.getByRole('table', { name: '操作列表' }).getByRole('link').first().click()
  await expect(operator.getByRole('region', { name: '变更内容' })).toBeVisible()
  await expectFits(operator)
  await operator.goto(`${world().consoleUrl}/account`)
  await expect(operator.getByText('当前会话')).toBeVisible()
  await turn(operator, 'dark')
  await expectFits(operator)
})

test('the overview is accessible and fits a phone', async ({ operator, phone }) => {
  await phone.buysAndPays('monthly')
  await operator.goto(world().consoleUrl)
  await expect(operator.getByRole('heading', { name: '按状态' })).toBeVisible()
  await expect(operator.getByRole('region', { name: '从扫描到订阅' }).getByRole('listitem')).toHaveCount(5)
  await expect(operator.locator('.recharts-surface').first()).toBeVisible()
  await expectFits(operator)
})

test('subscriptions are accessible in a list and one by one, and fit a phone', async ({
  operator,
  phone,
}) => {
  const order = await phone.buysAndPays('monthly')
  const { userId } = await buyerOf(order.out_trade_no)
  await operator.goto(`${world().consoleUrl}/subscriptions`)
  await expect(operator.getByText(userId).first()).toBeVisible()
  await expectAccessible(operator)
  await operator.emulateMedia({ colorScheme: 'dark' })
  await operator.goto(`${world().consoleUrl}/subscriptions/${userId}`)
  await expect(operator.getByRole('button', { name: '调整天数' })).toBeVisible()
  await expectFits(operator)
})

test('the desks of money and of the system are accessible and fit a phone', async ({ operator, phone }) => {
  const order = await phone.buysAndPays('monthly')
  await plantReconciledDay('2026-01-20', order.out_trade_no)
  const seen = [
    { path: 'reconciliation', text: '2026-01-20' },
    { path: 'reconciliation/2026-01-20', text: '仅我方有' },
    { path: 'shipping', text: '没有开启上传发货信息' },
    { path: 'jobs', text: '定时任务' },
    { path: 'keys', text: '商户证书序列号' },
  ]
  for (const { path, text } of seen) {
    await operator.setViewportSize(wide)
    await operator.goto(`${world().consoleUrl}/${path}`)
    await expect(operator.getByText(text).first()).toBeVisible()
    await expectAccessible(operator)
    await operator.setViewportSize(narrow)
    await expectNoSidewaysScroll(operator)
  }
})

test('the phone page is accessible at each step of buying and fits a phone', async ({ phoneScreen }) => {
  const { page, phone } = phoneScreen
  await expect(phone.getByRole('radio').first()).toBeVisible()
  await expectAccessible(page)
  await phoneScreen.chooses('年度会员')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const faults = page.getByRole('region', { name: '平台天气' })
  const virtual = ['虚拟支付的推送', '虚拟支付推送的内容', '虚拟支付的应答']
  for (const group of ['通知的内容', '支付平台的应答', ...virtual, '退款', '小程序平台'])
    await faults.getByText(group, { exact: true }).click()
  await expect(faults.getByRole('switch')).toHaveCount(42)
  await expectAccessible(page)
  await phoneScreen.pays()
  await expect(phone.getByRole('dialog', { name: '支付成功' })).toBeVisible()
  await expectAccessible(page)
  await phone.getByRole('button', { name: '完成' }).click()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectFits(page)
})

test('plans and settings are accessible and fit a phone', async ({ operator }) => {
  const page = (path: string) => operator.goto(`${world().consoleUrl}${path}`)
  await page('/plans/monthly')
  await expect(operator.getByRole('button', { name: '改价' })).toBeVisible()
  await expectAccessible(operator)
  await page('/plans')
  await expect(operator.getByRole('table', { name: '套餐' })).toBeVisible()
  await expectAccessible(operator)
  await operator.setViewportSize(narrow)
  await expectNoSidewaysScroll(operator)
  await operator.emulateMedia({ colorScheme: 'dark' })
  await page('/settings')
  await expect(operator.getByRole('listitem', { name: '各平台的出售' })).toBeVisible()
  await expectAccessible(operator)
  await expectNoSidewaysScroll(operator)
})

test('reports and the diagnosis configuration are accessible and fit a phone', async ({
  operator,
  phone,
}) => {
  const id = await phone.scans()
  await operator.goto(`${world().consoleUrl}/reports`)
  await expect(operator.locator(`a[href="/reports/${id}"]`)).toBeVisible()
  await expectAccessible(operator)
  await operator.emulateMedia({ colorScheme: 'dark' })
  await operator.goto(`${world().consoleUrl}/reports/${id}`)
  await expect(operator.locator('svg path.recharts-line-curve').first()).toBeVisible()
  await expectAccessible(operator)
  await operator.setViewportSize(narrow)
  await expectNoSidewaysScroll(operator)
  await operator.goto(`${world().consoleUrl}/diagnosis`)
  await operator.getByRole('button', { name: '新建草稿' }).click()
  await operator.getByRole('button', { name: '添加程序' }).click()
  await expectAccessible(operator)
  await expectNoSidewaysScroll(operator)
  await operator.getByRole('button', { name: '丢弃草稿' }).click()
  await operator
    .getByRole('dialog')
    .getByRole('button', { name: /^丢弃草稿/ })
    .click()
  await expect(operator.getByRole('button', { name: '新建草稿' })).toBeVisible()
})

test('refunds, notifications and alerts are accessible and fit a phone', async ({ operator }) => {
  for (const [path, heading] of [
    ['/refunds', '退款'],
    ['/notifications', '支付通知'],
    ['/alerts?view=alerts', '暂停订单与告警'],
    ['/alerts/channels', '告警渠道'],
  ]) {
    await operator.goto(`${world().consoleUrl}${path}`)
    await expect(operator.getByRole('heading', { name: heading ?? '', level: 1 })).toBeVisible()
    await expectAccessible(operator)
    await operator.setViewportSize(narrow)
    await expectNoSidewaysScroll(operator)
    await operator.setViewportSize({ width: 1280, height: 860 })
  }
})
