import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { consolePages, show } from '../support/console-pages.ts'
import { buyerOf, plantReconciledDay } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { orderPath, ordersPath } from '../support/operator.ts'
import { world } from '../support/world.ts'

const deep = process.env['MERIDIAN_DEEP'] === '1'
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Colours half-way between two themes are nobody's choice. */
async function untilSettled(page: Page) {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

/** One combination in the ordinary run; where time is no matter, what is open is looked at in the dark as well. */
async function expectAccessible(page: Page) {
  for (const colorScheme of deep ? (['dark', 'light'] as const) : [null]) {
    if (colorScheme) await page.emulateMedia({ colorScheme })
    await expectNoViolations(page)
  }
}

async function expectNoViolations(page: Page) {
  await untilSettled(page)
  // The other mode opens a second page for each look, because of frames from elsewhere, of which there are none.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().withTags(standards).analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })),
  )
  expect(found, page.url()).toEqual([])
}

async function expectNoSidewaysScroll(page: Page) {
  const { wide, shown } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    shown: document.documentElement.clientWidth,
  }))
  expect(wide).toBeLessThanOrEqual(shown)
}

const narrow = { width: 390, height: 844 }
const wide = { width: 1280, height: 860 }

test('the sign-in is accessible and fits a phone', async ({ page }) => {
  await page.goto(`${world().consoleUrl}/sign-in`)
  await expect(page.getByRole('heading', { name: '登录控制台' })).toBeVisible()
  await expectAccessible(page)
  await page.setViewportSize(narrow)
  await expectNoSidewaysScroll(page)
})

test('the order list is accessible and fits a phone', async ({ operator, phone }) => {
  const order = await phone.buysAndPays('monthly')
  await operator.goto(ordersPath())
  await expect(operator.getByText(order.out_trade_no).first()).toBeVisible()
  await expectAccessible(operator)
  await operator.setViewportSize(narrow)
  await expectNoSidewaysScroll(operator)
  await operator.goto(ordersPath('?status=paid'))
  await operator.getByRole('button', { name: '保存视图' }).click()
  await expect(operator.getByRole('dialog', { name: '保存视图' })).toBeVisible()
  await expectAccessible(operator)
})

test('an order is accessible in the dark and fits a phone', async ({ operator, phone }) => {
  const order = await phone.buysAndPays('monthly')
  await operator.emulateMedia({ colorScheme: 'dark' })
  await operator.goto(orderPath(order.out_trade_no))
  await expect(operator.getByRole('list', { name: '时间线' })).toBeVisible()
  await expectAccessible(operator)
  await operator.setViewportSize(narrow)
  await expectNoSidewaysScroll(operator)
})

test('people and devices are accessible in lists, details and dialogs, and fit a phone', async ({
  operator,
  phone,
}) => {
  const [id, serial] = [await phone.isKnownAs(), 'AXE-0001']
  await phone.binds(serial)
  await phone.buysAndPays('monthly')
  const shown = async () => {
    await expectAccessible(operator)
    await operator.setViewportSize(narrow)
    await expectNoSidewaysScroll(operator)
    await operator.setViewportSize({ width: 1280, height: 860 })
  }
  await operator.goto(`${world().consoleUrl}/users`)
  await expect(operator.getByRole('table', { name: '用户列表' }).getByRole('link').first()).toBeVisible()
  await shown()
  await operator.goto(`${world().consoleUrl}/users/${id}`)
  await expect(operator.getByRole('region', { name: '登录' })).toBeVisible()
  await shown()
  await operator.getByRole('button', { name: '停用用户' }).click()
  await expect(operator.getByRole('dialog')).toBeVisible()
  await shown()
  await operator.emulateMedia({ colorScheme: 'dark' })
  await operator.goto(`${world().consoleUrl}/devices`)
  await expect(operator.getByRole('table', { name: '设备列表' }).getByRole('link').first()).toBeVisible()
  await shown()
  await operator.goto(`${world().consoleUrl}/devices/${serial}`)
  await expect(operator.getByRole('region', { name: '绑定记录' })).toBeVisible()
  await shown()
  await operator.goto(`${world().consoleUrl}/devices/import`)
  await operator.getByLabel('选择 CSV 文件').setInputFiles({
    name: 'faulty.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('serial_number,model\nX,M1\n'),
  })
  await expect(operator.getByRole('table', { name: '错误' })).toBeVisible()
  await shown()
})

const expectFits = async (page: Page) => {
  await expectAccessible(page)
  await page.setViewportSize(narrow)
  await expectNoSidewaysScroll(page)
  await page.setViewportSize({ width: 1280, height: 860 })
}

test('the staff, with a dialog open, and one of them are accessible and fit a phone', async ({
  operator,
}) => {
  await operator.goto(`${world().consoleUrl}/staff`)
  await expect(operator.getByRole('link', { name: 'viewer@meridian.test' })).toBeVisible()
  await expectFits(operator)
  await operator.getByRole('button', { name: '添加操作员' }).click()
  await expect(operator.getByRole('dialog')).toBeVisible()
  await expectFits(operator)
  await operator.keyboard.press('Escape')
  await operator.emulateMedia({ colorScheme: 'dark' })
  await operator.getByRole('link', { name: 'viewer@meridian.test' }).click()
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
  await operator.emulateMedia({ colorScheme: 'dark' })
  await expectFits(operator)
})

test('the search from anywhere, the sheet of keys and the second factor are accessible', async ({
  operator,
}) => {
  await operator.goto(`${world().consoleUrl}/second-factor`)
  await expect(operator.getByRole('img', { name: '两步验证的二维码' }).locator('svg')).toBeVisible()
  await expectFits(operator)
  await operator.goto(`${world().consoleUrl}/account`)
  await operator.getByRole('button', { name: '查找任何内容' }).click()
  await expect(operator.getByRole('dialog', { name: '查找任何内容' })).toBeVisible()
  await expectFits(operator)
  await operator.keyboard.press('Escape')
  await expect(operator.getByRole('dialog', { name: '查找任何内容' })).toBeHidden()
  await operator.keyboard.press('?')
  await expect(operator.getByRole('dialog', { name: '快捷键' })).toBeVisible()
  await expectFits(operator)
})

test('the overview is accessible and fits a phone', async ({ operator, phone }) => {
  await phone.buysAndPays('monthly')
  await operator.goto(world().consoleUrl)
  await expect(operator.getByRole('heading', { name: '按状态' })).toBeVisible()
  await expect(operator.locator('.recharts-surface').first()).toBeVisible()
  await expectAccessible(operator)
  await operator.setViewportSize(narrow)
  await expectNoSidewaysScroll(operator)
})

test('a subscription and the dialog for its days are accessible and fit a phone', async ({
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
  await operator.getByRole('button', { name: '调整天数' }).click()
  const dialog = operator.getByRole('dialog', { name: '调整订阅天数' })
  await dialog.getByLabel('天数', { exact: true }).fill('40')
  await expect(dialog.getByText(/需要第二位同事批准/)).toBeVisible()
  await expectAccessible(operator)
  await operator.setViewportSize(narrow)
  await expectNoSidewaysScroll(operator)
})

test('the desks of money and of the system are accessible and fit a phone', async ({ operator, phone }) => {
  const order = await phone.buysAndPays('monthly')
  await plantReconciledDay('2026-01-20', order.out_trade_no)
  const seen = [
    { path: 'reconciliation', text: '2026-01-20' },
    { path: 'reconciliation/2026-01-20', text: '仅我方有' },
    { path: 'shipping', text: '没有等待上传的订单' },
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
  await expectAccessible(page)
  await phoneScreen.pays()
  await expect(phone.getByRole('dialog', { name: '支付成功' })).toBeVisible()
  await expectAccessible(page)
  await phone.getByRole('button', { name: '完成' }).click()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.setViewportSize(narrow)
  await expectNoSidewaysScroll(page)
})

test('plans, settings and their dialogs are accessible and fit a phone', async ({ operator }) => {
  const page = (path: string) => operator.goto(`${world().consoleUrl}${path}`)
  await page('/plans/monthly')
  await operator.getByRole('button', { name: '改价' }).click()
  await expect(operator.getByRole('dialog')).toBeVisible()
  await expectAccessible(operator)
  await page('/plans')
  await expect(operator.getByRole('table', { name: '套餐' })).toBeVisible()
  await expectAccessible(operator)
  await operator.setViewportSize(narrow)
  await expectNoSidewaysScroll(operator)
  await operator.emulateMedia({ colorScheme: 'dark' })
  await page('/settings')
  await operator
    .getByRole('listitem', { name: '各平台的出售' })
    .getByRole('button', { name: '修改', exact: true })
    .click()
  await expect(operator.getByRole('dialog')).toBeVisible()
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

test('the desks of money are accessible, with the dialog of a refund open, and fit a phone', async ({
  operator,
  phone,
}) => {
  const order = await phone.buysAndPays('monthly')
  await operator.goto(orderPath(order.out_trade_no))
  await operator.getByRole('button', { name: '退款', exact: true }).click()
  await expect(operator.getByRole('region', { name: '退款的影响' })).toBeVisible()
  await expectAccessible(operator)
  for (const [path, heading] of [
    ['/refunds', '退款'],
    ['/notifications', '支付通知'],
    ['/alerts?view=alerts', '待处理与告警'],
  ]) {
    await operator.goto(`${world().consoleUrl}${path}`)
    await expect(operator.getByRole('heading', { name: heading ?? '', level: 1 })).toBeVisible()
    await expectAccessible(operator)
    await operator.setViewportSize(narrow)
    await expectNoSidewaysScroll(operator)
    await operator.setViewportSize({ width: 1280, height: 860 })
  }
})

const looks = deep
  ? ([
      ['zh-CN', 'light', '2026-03-01'],
      ['zh-CN', 'dark', '2026-03-02'],
      ['en', 'light', '2026-03-03'],
      ['en', 'dark', '2026-03-04'],
    ] as const)
  : []

for (const [language, theme, day] of looks)
  test(`every page is accessible in ${language} and ${theme}, and none scrolls sideways on a phone`, async ({
    operator,
    phone,
  }) => {
    test.setTimeout(900_000)
    const { out_trade_no } = await phone.buysAndPays('monthly')
    await phone.binds(`MER-${language}-${theme}`.toUpperCase())
    await phone.scans()
    await plantReconciledDay(day, out_trade_no)
    const url = world().consoleUrl
    await operator.context().addCookies([
      { name: 'meridian.language', value: language, url },
      { name: 'meridian.theme', value: theme, url },
    ])
    // A refund takes two persons: its journey is looked at above.
    for (const page of consolePages.filter(({ name }) => name !== 'refund')) {
      await operator.setViewportSize(wide)
      await show(operator, url, page)
      await expectNoViolations(operator)
      await operator.setViewportSize(narrow)
      await expectNoSidewaysScroll(operator)
    }
  })
