import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { listedOrders, orderPath, ordersPath } from '../support/operator.ts'
import { passTime } from '../support/pass-time.ts'
import { storedOrder } from '../support/stored-orders.ts'
import { world } from '../support/world.ts'

test('half of an order is refunded in three presses and six keys, and the order is partly refunded everywhere', async ({
  finance,
  phone,
}) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await finance.goto(orderPath(out_trade_no))
  await finance.getByRole('button', { name: '退款', exact: true }).click()
  const dialog = finance.getByRole('dialog', { name: `退款：订单 ${out_trade_no}` })
  const half = dialog.getByRole('button', { name: '订单的一半 ¥14.50' })
  await half.click()
  await expect(half).toHaveAttribute('aria-pressed', 'true')
  await expect(dialog.getByLabel('退款金额（元）')).toHaveValue('14.50')
  await expect(dialog.getByRole('region', { name: '退款的影响' })).toContainText('30 天 → 15 天')
  await dialog.getByLabel('输入订单号的最后 6 位以确认').fill(out_trade_no.slice(-6))
  await dialog.getByRole('button', { name: '退款 ¥14.50' }).click()
  await expect(finance).toHaveURL(/\/refunds\/R/)
  await finance.getByRole('button', { name: '向微信查询或重试' }).click()
  await expect(finance.getByText('已退款').first()).toBeVisible()
  expect(await storedOrder(out_trade_no)).toMatchObject({ status: 'paid', granted_days: 15 })

  const outRefundNo = new URL(finance.url()).pathname.split('/').at(-1) ?? ''
  await goWithin(finance, `${world().consoleUrl}/audit?q=${outRefundNo}`)
  await finance.getByRole('table', { name: '操作列表' }).getByRole('link').first().click()
  await expect(finance.getByRole('region', { name: '订单' })).toContainText('¥29.00 · 月度会员')
  const card = finance.getByRole('region', { name: '退款', exact: true })
  await expect(card.getByRole('link', { name: '−¥14.50 · 月度会员' })).toHaveAttribute(
    'href',
    `/refunds/${outRefundNo}`,
  )

  await goWithin(finance, orderPath(out_trade_no))
  await expect(finance.getByText('部分退款')).toBeVisible()
  await goWithin(finance, ordersPath())
  await finance
    .getByRole('navigation', { name: '按状态筛选' })
    .getByRole('link', { name: /^部分退款/ })
    .click()
  await expect(finance).toHaveURL(/[?&]mark=partly_refunded/)
  await expect(listedOrders(finance).and(finance.getByTitle(out_trade_no))).toBeVisible()
})

test('the unused days are given back to the fen, by the keyboard alone', async ({ signedIn, phone }) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await passTime({ days: 10 })
  const finance = await signedIn('finance')
  await finance.goto(orderPath(out_trade_no))
  await finance.getByRole('button', { name: '退款', exact: true }).press('Enter')
  const dialog = finance.getByRole('dialog', { name: `退款：订单 ${out_trade_no}` })
  const unused = dialog.getByRole('button', { name: '未使用的 20 天 ¥19.34' })
  await expect(unused).toBeEnabled()
  await dialog.getByLabel('退款金额（元）').focus()
  for (let step = 0; step < 3; step += 1) await finance.keyboard.press('Tab')
  await expect(unused).toBeFocused()
  await finance.keyboard.press('Enter')
  await expect(dialog.getByLabel('退款金额（元）')).toHaveValue('19.34')
  await expect(dialog.getByRole('region', { name: '退款的影响' })).toContainText('20 天 → 0 天')
})
