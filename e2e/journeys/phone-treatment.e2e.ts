import type { Page } from '@playwright/test'
import { expectNoSidewaysScroll, expectNoViolations, narrow } from '../support/accessible.ts'
import { expect, test } from '../support/journey.ts'
import { orderPath } from '../support/operator.ts'
import { openPhone, type PhoneScreen } from '../support/phone-screen.ts'
import { storedOrder } from '../support/stored-orders.ts'
import { within } from '../support/world.ts'

/** Something that only a program reads: a key, a number with more digits than anybody measures. */
const raw = /[a-z]_[a-z]|\d\.\d{4}|[[\]{}]/

async function treats({ page, phone }: PhoneScreen): Promise<void> {
  await phone.getByRole('button', { name: '微信登录' }).click()
  await phone.getByRole('button', { name: '理疗', exact: true }).click()
  await phone.getByLabel('设备序列号').fill('SN-7001')
  await phone.getByRole('button', { name: '绑定', exact: true }).click()
  await phone.getByRole('radio', { name: '肩部' }).check()
  await phone.getByRole('button', { name: '开始扫描' }).click()
  await expect(phone.getByRole('alert')).toHaveText('报告已保存，开通订阅后查看完整内容')
  await expect(phone.getByRole('region', { name: '最近一次诊断' })).toContainText('肩部')
  const others = phone.getByRole('region', { name: '其他方案' })
  await expect(others.getByRole('listitem').filter({ hasText: '开通订阅后可用' })).toHaveCount(2)

  await phone.getByRole('region', { name: '推荐方案' }).getByRole('button', { name: '选择 肩部舒缓' }).click()
  const sheet = phone.getByRole('dialog', { name: '肩部舒缓' })
  await expect(sheet).toContainText('双相对称')
  const start = sheet.getByRole('button', { name: '开始理疗' })
  await expect(start).toBeDisabled()
  await sheet.getByLabel('以上情况我都没有').check()
  await expectNoViolations(page)
  await start.click()
  await expect(phone.getByRole('dialog', { name: '肩部舒缓' }).getByRole('timer')).toHaveText(/^1[45]:/)
  await expectNoViolations(page)
  await phone.getByRole('button', { name: '快进到结束' }).click()
}

/** Reads the report that is open on the phone: in words, and with its curves once they are paid for. */
async function reads({ page, phone }: PhoneScreen, words: readonly string[]): Promise<void> {
  const report = phone.getByRole('dialog', { name: '理疗 · 肩部舒缓' })
  for (const word of words) await expect(report).toContainText(word)
  expect(await report.textContent()).not.toMatch(raw)
  await expectNoViolations(page)
  await report.getByRole('button', { name: '返回' }).click()
}

async function live(page: Page): Promise<void> {
  const screen = await openPhone(page)
  const { phone } = screen
  await treats(screen)
  await reads(screen, ['SN-7001', '15 分钟', '按时完成', '开通订阅后可查看测量曲线'])
  await phone.getByRole('button', { name: '会员', exact: true }).click()
  await screen.buys('月度会员')
  await phone.getByRole('button', { name: '报告', exact: true }).click()
  await expect(phone.getByRole('listitem').filter({ hasText: '扫描 · 肩部' })).toHaveCount(1)
  await phone.getByRole('button', { name: '查看 理疗 · 肩部舒缓' }).click()
  await reads(screen, ['紧张度', '皮肤阻抗（Ω）', '31 个点'])
  await phone.getByRole('button', { name: '理疗', exact: true }).click()
  await expect(phone.getByText('开通订阅后可用')).toHaveCount(0)
  await page.setViewportSize(narrow)
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('region', { name: 'Recommended programs' })).toContainText('Shoulder relief')
  await expectNoSidewaysScroll(page)
}

test('somebody binds a device, is scanned, is treated as recommended, and reads the report in words', async ({
  browser,
  contextOptions,
  ownWorld: own,
}) => {
  const context = await browser.newContext({
    ...contextOptions,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
  })
  await within(own.world, async () => live(await context.newPage()))
  await context.close()
})

test('an unpaid order is paid again as the same order, another is cancelled, and each leads to itself in the console', async ({
  phoneScreen,
  operator,
}) => {
  const { page, phone } = phoneScreen
  const unpaid = await phoneScreen.chooses('月度会员')
  await phoneScreen.cancels()
  const other = await phoneScreen.chooses('季度会员')
  await phoneScreen.cancels()
  await phone.getByRole('button', { name: `取消订单 ${other}` }).click()
  await expect(phone.getByRole('alert')).toHaveText('订单已取消')
  await expect(phone.getByRole('listitem').filter({ hasText: other })).toContainText('已关闭')
  expect(await storedOrder(other)).toMatchObject({ status: 'closed', grants: 0 })

  const asked = page.waitForResponse(/\/subscription\/purchase$/)
  await phone.getByRole('button', { name: `继续支付 ${unpaid}` }).click()
  const sheet = phone.getByRole('dialog', { name: '确认支付' })
  await expect(sheet).toContainText(unpaid)
  expect((await asked).status()).toBe(200)
  await phoneScreen.pays()
  await phone.getByRole('dialog', { name: '支付成功' }).getByRole('button', { name: '完成' }).click()
  await expect(phone.getByRole('listitem').filter({ hasText: unpaid })).toContainText('已支付')
  await expect(phone.getByRole('button', { name: `继续支付 ${unpaid}` })).toHaveCount(0)
  expect(await storedOrder(unpaid)).toMatchObject({ status: 'paid', grants: 1, granted_days: 30 })

  for (const [outTradeNo, status] of [
    [unpaid, '已支付'],
    [other, '已关闭'],
  ] as const) {
    const link = phone.getByRole('link', { name: `在控制台查看 ${outTradeNo}` })
    await expect(link).toHaveAttribute('href', orderPath(outTradeNo))
    await operator.goto((await link.getAttribute('href')) ?? '')
    await expect(operator.getByRole('heading', { level: 1 })).toContainText(outTradeNo)
    await expect(operator.getByText(status, { exact: true }).first()).toBeVisible()
  }
})
