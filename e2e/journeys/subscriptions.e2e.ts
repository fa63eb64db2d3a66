import type { Locator, Page } from '@playwright/test'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { passTime } from '../support/pass-time.ts'
import { buyerOf } from '../support/stored-orders.ts'
import { world } from '../support/world.ts'

const subscriptionPath = (userId: string) => `${world().consoleUrl}/subscriptions/${userId}`

/** Tabs until the wanted element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, wanted: Locator) {
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(wanted).toBeFocused({ timeout: 100 })
  }).toPass({ intervals: [0], timeout: 60_000 })
}

test('an operator gives days by the keyboard alone, and sees first what it does', async ({
  signedIn,
  phone,
}) => {
  const { userId } = await buyerOf((await phone.buysAndPays('monthly')).out_trade_no)
  const page = await signedIn('operator')
  await page.goto(subscriptionPath(userId))
  await expect(page.getByRole('region', { name: '为什么有权限' })).toContainText('还剩 30 天')
  const open = page.getByRole('button', { name: '调整天数' })
  await tabTo(page, open)
  const dialog = page.getByRole('dialog', { name: '调整订阅天数' })
  await expect(async () => {
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(dialog.getByRole('radio', { name: '赠送' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(dialog.getByLabel('天数', { exact: true })).toBeFocused()
  await page.keyboard.type('10')
  await page.keyboard.press('Tab')
  await page.keyboard.type('设备返修，补偿天数')
  await expect(dialog.getByRole('region', { name: '预览' })).toContainText('30 天 → 40 天')
  await tabTo(page, dialog.getByRole('button', { name: '赠送 10 天' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('剩余 40 天')
  await expect(open).toBeFocused()
  await expect(page.getByRole('table', { name: '天数账本' })).toContainText('设备返修，补偿天数')
})

test('more than a month’s worth waits for a second person', async ({ signedIn, operator, phone }) => {
  const order = await phone.buysAndPays('monthly')
  const { userId } = await buyerOf(order.out_trade_no)
  await operator.goto(subscriptionPath(userId))
  await operator.getByRole('button', { name: '调整天数' }).click()
  const dialog = operator.getByRole('dialog', { name: '调整订阅天数' })
  await dialog.getByLabel('天数', { exact: true }).fill('60')
  await dialog.getByLabel('原因').fill('企业客户的延期')
  await dialog.getByRole('button', { name: '申请赠送 60 天' }).click()
  const requests = operator.getByRole('table', { name: '审批' })
  await expect(requests.getByRole('button', { name: '批准' })).toHaveAttribute('aria-disabled', 'true')
  expect((await buyerOf(order.out_trade_no)).days).toBe(30)

  const page = await signedIn('operator')
  await page.goto(`${world().consoleUrl}/subscriptions`)
  const waiting = page.getByRole('row').filter({ hasText: '企业客户的延期' })
  await waiting.getByRole('button', { name: '批准' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '批准 +60 天' }).click()
  await expect(waiting).toHaveCount(0)
  expect((await buyerOf(order.out_trade_no)).days).toBe(90)
})

test('header, list and phone tell the same days, on the first day, a day later and on the last', async ({
  signedIn,
  phoneScreen,
}) => {
  const { userId } = await buyerOf(await phoneScreen.buys('月度会员'))
  const shown = phoneScreen.phone.getByText(/^\d+$/).first()
  for (const [days, left] of [
    [0, 30],
    [1, 29],
    [28, 1],
  ] as const) {
    if (days > 0) await passTime({ days })
    await phoneScreen.page.reload()
    await expect(shown).toHaveText(`${left}`)
    const page = await signedIn('operator')
    await page.goto(subscriptionPath(userId))
    await expect(page.getByRole('heading', { level: 1 })).toContainText(`剩余 ${left} 天`)
    await goWithin(page, `${world().consoleUrl}/subscriptions?q=${userId}`)
    await expect(page.getByRole('row').filter({ hasText: userId })).toContainText(`${left} 天`)
  }
})
