import { expect, test } from '../support/journey.ts'
import { fact, orderPath } from '../support/operator.ts'
import { storedOrder } from '../support/stored-orders.ts'

test('a user buys and pays on the phone, and the order page that is open in the console turns to paid by itself', async ({
  phoneScreen,
  operator,
}) => {
  const { phone } = phoneScreen
  await expect(phone.getByText('尚未登录')).toBeVisible()
  const outTradeNo = await phoneScreen.chooses('季度会员')

  await operator.goto(orderPath(outTradeNo))
  await expect(operator.getByRole('heading', { level: 1 })).toContainText('¥79.00')
  await expect(operator.getByText('待支付', { exact: true })).toBeVisible()
  // The sweeper may have asked before the payment came.
  const moves = operator
    .getByRole('list', { name: '时间线' })
    .getByRole('listitem')
    .filter({ hasNotText: '向微信查询' })
  await expect(moves).toHaveCount(2)
  // What a page asks for while it comes to life on a slow machine would hide that it does not ask again.
  await operator.waitForRequest(/\/order\.detail\?/)

  await phoneScreen.pays()
  const result = phone.getByRole('dialog', { name: '支付成功' })
  await expect(result).toContainText('订阅已生效，剩余 90 天')
  await result.getByRole('button', { name: '完成' }).click()
  await expect(phone.getByRole('region', { name: '订阅有效' })).toContainText('90 天')
  await expect(phone.getByRole('listitem').filter({ hasText: outTradeNo })).toContainText('已支付')

  await expect(operator.getByText('已支付', { exact: true })).toBeVisible()
  await expect(operator.getByText('待支付', { exact: true })).toHaveCount(0)
  await expect(fact(operator, '确认方式')).toHaveText('支付通知')
  await expect(moves).toHaveCount(5)
  for (const step of ['天数变化：购买', '确认付款', '收到支付通知', '获得预支付编号', '创建订单'])
    await expect(moves.filter({ hasText: step })).toHaveCount(1)
  await expect(operator.getByRole('table', { name: '支付通知' })).toContainText('已生效')
  await expect(operator.getByRole('table', { name: '这笔订单的天数记录' })).toContainText('+90 天')

  expect(await storedOrder(outTradeNo)).toMatchObject({
    status: 'paid',
    confirmed_by: 'notification',
    amount_fen: 7900,
    grants: 1,
    granted_days: 90,
    events: ['create', 'prepare', 'pay'],
  })
})

test('who closes the payment sheet has not paid, and may pay the same order later', async ({
  phoneScreen,
}) => {
  const { phone } = phoneScreen
  const outTradeNo = await phoneScreen.chooses('月度会员')
  await phoneScreen.cancels()
  expect(await storedOrder(outTradeNo)).toMatchObject({ status: 'prepay', grants: 0 })

  expect(await phoneScreen.chooses('月度会员')).toBe(outTradeNo)
  await phoneScreen.pays()
  await expect(phone.getByRole('dialog', { name: '支付成功' })).toBeVisible()
  expect(await storedOrder(outTradeNo)).toMatchObject({ status: 'paid', grants: 1, granted_days: 30 })
})

test('an order that an operator closes can no longer be paid', async ({ signedIn, phone }) => {
  const purchase = await phone.buys('monthly')
  const { out_trade_no } = purchase.order
  const operator = await signedIn('operator')
  await operator.goto(orderPath(out_trade_no))
  await operator.getByRole('button', { name: '关闭订单' }).click()
  const dialog = operator.getByRole('dialog', { name: `关闭订单 ${out_trade_no}` })
  await dialog.getByRole('button', { name: '关闭订单' }).click()
  await expect(dialog).toBeHidden()
  await expect(fact(operator, '关闭原因')).toHaveText('人工关闭')
  await expect(operator.getByRole('button', { name: '关闭订单' })).toHaveAccessibleDescription(
    '只有未支付的订单可以关闭',
  )
  await expect(phone.pays(purchase)).rejects.toThrow('订单已关闭')
  expect(await storedOrder(out_trade_no)).toMatchObject({ status: 'closed', grants: 0 })
})
