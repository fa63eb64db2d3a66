import type { Page } from '@playwright/test'
import { forgetOrder, keepProven, keptNotification, parkOrder, storedOrder } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { orderPath, signIn } from '../support/operator.ts'
import { world } from '../support/world.ts'

const consolePath = (path: string) => `${world().consoleUrl}${path}`

/** The same page as the fixture's, for somebody else. */
async function signedIn(page: Page, name: 'finance' | 'operator' | 'viewer'): Promise<Page> {
  await signIn(page, name)
  await page.getByRole('heading', { name: '总览', level: 1 }).waitFor()
  await keepProven(world().operators[name].email)
  return page
}

test('a refund goes by two persons to refunded, and its days are gone', async ({ page, operator, phone }) => {
  const { out_trade_no } = await phone.buysAndPays('yearly')
  const finance = await signedIn(page, 'finance')
  await finance.goto(orderPath(out_trade_no))
  await finance.getByRole('button', { name: '退款', exact: true }).click()
  const dialog = finance.getByRole('dialog', { name: `退款：订单 ${out_trade_no}` })
  await expect(dialog.getByRole('region', { name: '退款的影响' })).toContainText('365 天 → 0 天')
  await expect(dialog.getByText('需要另一位财务或所有者批准')).toBeVisible()
  await dialog.getByLabel('输入订单号的最后 6 位以确认').fill(out_trade_no.slice(-6))
  await dialog.getByRole('button', { name: '提交退款 ¥268.00 待审批' }).click()
  await expect(finance).toHaveURL(/\/refunds\/R/)
  await expect(finance.getByRole('button', { name: '批准' })).toHaveAttribute('aria-disabled', 'true')

  await operator.goto(finance.url())
  await operator.getByRole('button', { name: '批准' }).click()
  await operator.getByRole('dialog').getByRole('button', { name: '批准退款 ¥268.00' }).click()
  await operator.getByRole('button', { name: '向微信查询或重试' }).click()
  await expect(operator.getByText('已退款').first()).toBeVisible({ timeout: 20_000 })
  expect(await storedOrder(out_trade_no)).toMatchObject({ status: 'refunded', granted_days: 0 })

  await operator.goto(orderPath(out_trade_no))
  const timeline = operator.getByRole('list', { name: '时间线' })
  for (const step of ['申请退款', '批准退款', '退款成功', '天数变化：退款扣回'])
    await expect(timeline.getByRole('listitem').filter({ hasText: step }).first()).toBeVisible()
})

test('a parked order is decided at the desk and goes on', async ({ operator, phone }) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await parkOrder(out_trade_no)
  await operator.goto(consolePath('/alerts'))
  const row = operator.getByRole('row').filter({ hasText: out_trade_no })
  await row.getByRole('button', { name: '处理' }).click()
  const dialog = operator.getByRole('dialog', { name: `处理订单 ${out_trade_no}` })
  await dialog.getByRole('radio', { name: '恢复自动处理' }).check()
  await dialog.getByLabel('理由').fill('核对无误')
  await dialog.getByRole('button', { name: '恢复自动处理' }).click()
  await expect(row).toHaveCount(0)
  expect(await storedOrder(out_trade_no)).toMatchObject({ parked: false, grants: 1 })
})

test('a kept notification is rehearsed, and only then replayed', async ({ operator, phone, platform }) => {
  const purchase = await phone.buys('monthly')
  const { out_trade_no } = purchase.order
  const remember = await forgetOrder(out_trade_no)
  await phone.pays(purchase)
  const id = await keptNotification(out_trade_no)
  await platform.losesNotifications()
  await remember()

  await operator.goto(consolePath(`/notifications?q=${out_trade_no}`))
  await operator.getByRole('table', { name: '通知列表' }).getByRole('link').first().click()
  await expect(operator.getByRole('heading', { name: id })).toBeVisible()
  await operator.getByRole('button', { name: '试运行与重放' }).click()
  const effect = operator.getByRole('region', { name: '重放的影响' })
  await expect(effect).toContainText('待支付 → 已支付')
  await expect(effect).toContainText('0 天 → 30 天')
  expect(await storedOrder(out_trade_no)).toMatchObject({ status: 'prepay', grants: 0 })
  await operator.getByRole('dialog').getByRole('button', { name: '重放', exact: true }).click()
  await expect(operator.getByText('已重放：已生效').first()).toBeVisible()
  expect(await storedOrder(out_trade_no)).toMatchObject({
    status: 'paid',
    confirmed_by: 'replay',
    granted_days: 30,
  })
})

test('a viewer sees what may be done and why it is not theirs', async ({ page, phone }) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await parkOrder(out_trade_no)
  const id = await keptNotification(out_trade_no)
  const viewer = await signedIn(page, 'viewer')
  const refused = async (path: string, name: string) => {
    await viewer.goto(path)
    const button = viewer.getByRole('button', { name, exact: true }).first()
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await expect(button).toHaveAccessibleDescription(/你的角色（查看者）不能/)
  }
  for (const name of ['退款', '关闭订单', '处理', '同步支付状态'])
    await refused(orderPath(out_trade_no), name)
  await refused(consolePath('/alerts'), '处理')
  await refused(consolePath(`/notifications/${id}`), '试运行与重放')
  await refused(consolePath(`/notifications/${id}`), '查看完整报文')
})
