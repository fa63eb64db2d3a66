import type { Page } from '@playwright/test'
import { expectNoSidewaysScroll, expectNoViolations, narrow, turn, wide } from '../support/accessible.ts'
import { deep } from '../support/deep.ts'
import { expect, test } from '../support/journey.ts'
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
  await page.setViewportSize(wide)
}

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

test('a begun draft of the diagnosis configuration is accessible in the dark and fits a phone', async ({
  operator,
}) => {
  await operator.emulateMedia({ colorScheme: 'dark' })
  await operator.goto(`${world().consoleUrl}/diagnosis`)
  await operator.getByRole('button', { name: '新建草稿' }).click()
  await operator.getByRole('button', { name: '添加程序' }).click()
  await expectFits(operator)
  await operator.getByRole('button', { name: '丢弃草稿' }).click()
  await operator
    .getByRole('dialog')
    .getByRole('button', { name: /^丢弃草稿/ })
    .click()
  await expect(operator.getByRole('button', { name: '新建草稿' })).toBeVisible()
})
