import type { Page } from '@playwright/test'
import { fillRefund } from '../support/fill-refund.ts'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { orderPath } from '../support/operator.ts'
import { buyerOf, forgetOrder, keptNotification, refundsOf, storedOrder } from '../support/stored-orders.ts'
import { world } from '../support/world.ts'

const consolePath = (path: string) => `${world().consoleUrl}${path}`

/** Fills the dialog of a whole refund. Answers the button that sends it. */
async function prepareRefund(page: Page, outTradeNo: string) {
  const { dialog, send } = await fillRefund(page, outTradeNo)
  await expect(dialog.getByRole('region', { name: '退款的影响' })).toContainText('365 天 → 0 天')
  await expect(dialog.getByText('需要另一位财务或所有者批准')).toBeVisible()
  await expect(send).toHaveText('申请退款 ¥268.00')
  return send
}

test('a refund goes by two persons to refunded, once however often it was pressed, and its days are gone', async ({
  finance,
  operator,
  phone,
}) => {
  const { out_trade_no } = await phone.buysAndPays('yearly')
  const asked: string[] = []
  finance.on('request', (request) => {
    if (request.url().includes('/refund.request')) asked.push(request.url())
  })
  await (await prepareRefund(finance, out_trade_no)).dblclick()
  await expect(finance).toHaveURL(/\/refunds\/R/)
  expect(asked).toHaveLength(1)
  expect(await refundsOf(out_trade_no)).toEqual(['requested'])
  const approve = finance.getByRole('button', { name: '批准' })
  await expect(approve).toHaveAttribute('aria-disabled', 'true')
  await expect(approve).toHaveAccessibleDescription('自己的申请须由另一位人员批准')

  await operator.goto(finance.url())
  await operator.getByRole('button', { name: '批准' }).click()
  await operator.getByRole('dialog').getByRole('button', { name: '批准退款 ¥268.00' }).click()
  await operator.getByRole('button', { name: '向微信查询或重试' }).click()
  await expect(operator.getByText('已退款').first()).toBeVisible()
  expect(await storedOrder(out_trade_no)).toMatchObject({ status: 'refunded', granted_days: 0 })

  await goWithin(operator, orderPath(out_trade_no))
  const timeline = operator.getByRole('list', { name: '时间线' })
  for (const step of ['申请退款', '批准退款', '退款成功', '天数变化：退款扣回'])
    await expect(timeline.getByRole('listitem').filter({ hasText: step }).first()).toBeVisible()
  const { userId } = await buyerOf(out_trade_no)
  await goWithin(operator, consolePath(`/subscriptions/${userId}`))
  await expect(operator.getByRole('heading', { level: 1 })).toContainText('剩余 0 天')
  await expect(operator.getByRole('region', { name: '为什么没有权限' })).toContainText('退款，扣回 365 天')
  const ledger = operator.getByRole('table', { name: '天数账本' })
  await expect(ledger.getByRole('row', { name: /退款扣回/ })).toContainText('365 天')
})

test('who asked for a refund may take it back, another may refuse it, and the money can be asked for again', async ({
  finance,
  operator,
  phone,
}) => {
  const { out_trade_no } = await phone.buysAndPays('yearly')
  const refuse = async (page: Page, name: string) => {
    await page.getByRole('button', { name }).click()
    await page.getByRole('dialog').getByRole('button', { name: '驳回退款 ¥268.00' }).click()
    await expect(page.getByText('已驳回', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name })).toHaveCount(0)
    expect(await storedOrder(out_trade_no)).toMatchObject({ refund_reserved_fen: 0, granted_days: 365 })
  }
  await (await prepareRefund(finance, out_trade_no)).click()
  await expect(finance).toHaveURL(/\/refunds\/R/)
  await refuse(finance, '撤回')
  await (await prepareRefund(finance, out_trade_no)).click()
  await expect(finance).toHaveURL(/\/refunds\/R/)
  await operator.goto(finance.url())
  await refuse(operator, '驳回')
  expect(await refundsOf(out_trade_no)).toEqual(['rejected', 'rejected'])
})

test('a kept notification is replayed only after its dry run', async ({ operator, phone, platform }) => {
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
