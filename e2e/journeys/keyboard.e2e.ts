import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { tabTo } from '../support/keyboard.ts'
import { codeOf, listedOrders, orderPath } from '../support/operator.ts'
import { world } from '../support/world.ts'

/** The server's page is seen before its keys work: `/` puts the cursor into the search once they do. */
async function untilKeysWork(page: Page) {
  const search = page.getByRole('searchbox')
  await expect(async () => {
    await page.keyboard.press('/')
    await expect(search).toBeFocused({ timeout: 100 })
  }).toPass({ intervals: [100], timeout: 60_000 })
  await search.fill('')
  await search.blur()
}

test('from the sign-in to an order by the keyboard alone', async ({ page, phone }) => {
  const order = await phone.buysAndPays('monthly')
  const { email, password } = world().operators.finance
  await page.goto(`${world().consoleUrl}/sign-in`)
  const address = page.getByLabel('邮箱')
  if (!(await address.evaluate((field) => field === document.activeElement))) await tabTo(page, address)
  await page.keyboard.type(email)
  await tabTo(page, page.getByLabel('密码', { exact: true }))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('验证码')).toBeFocused()
  await page.keyboard.type(await codeOf('finance'))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
  const orders = page
    .getByRole('navigation', { name: '主导航' })
    .getByRole('link', { name: '订单', exact: true })
  await tabTo(page, orders)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '订单', level: 1 })).toBeVisible()

  const link = listedOrders(page).filter({ hasText: order.out_trade_no })
  await expect(link).toBeVisible()
  await tabTo(page, link)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(order.out_trade_no)
  await tabTo(page, page.getByRole('button', { name: '同步支付状态' }))
})

test('the arrow keys walk the rows of the list and Enter opens one', async ({ operator, phone }) => {
  const order = await phone.buysAndPays('monthly')
  await operator.goto(`${world().consoleUrl}/orders`)
  const newest = listedOrders(operator).first()
  await expect(newest).toHaveAttribute('title', order.out_trade_no)
  await untilKeysWork(operator)
  await operator.keyboard.press('ArrowDown')
  await expect(newest).toBeFocused()
  await operator.keyboard.press('Enter')
  await expect(operator.getByRole('heading', { level: 1 })).toContainText(order.out_trade_no)
})

test('money goes back by the keyboard alone', async ({ operator, phone }) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await operator.goto(orderPath(out_trade_no))
  await tabTo(operator, operator.getByRole('button', { name: '退款', exact: true }))
  const dialog = operator.getByRole('dialog', { name: `退款：订单 ${out_trade_no}` })
  await expect(async () => {
    await operator.keyboard.press('Enter')
    await expect(dialog).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(dialog.getByLabel(/^退款金额/)).toBeFocused()
  await tabTo(operator, dialog.getByLabel('输入订单号的最后 6 位以确认'))
  await operator.keyboard.type(out_trade_no.slice(-6))
  await expect(dialog.getByRole('region', { name: '退款的影响' })).toContainText('30 天 → 0 天')
  await operator.keyboard.press('Enter')
  await expect(operator).toHaveURL(/\/refunds\/R/)
  await expect(operator.getByRole('heading', { level: 1 })).toBeVisible()
})
