import { countPresses } from '../support/count-presses.ts'
import { expect, test } from '../support/journey.ts'
import { fact, orderPath } from '../support/operator.ts'
import { passTime } from '../support/pass-time.ts'
import { storedOrder } from '../support/stored-orders.ts'

test('a lost notification is healed by the sync of the phone', async ({ phoneScreen, platform }) => {
  await platform.losesNotifications()
  const outTradeNo = await phoneScreen.chooses('月度会员')
  await phoneScreen.pays()

  const pressed = await countPresses(phoneScreen.page)
  await expect(phoneScreen.phone.getByRole('dialog', { name: '支付成功' })).toContainText('剩余 30 天')
  expect(pressed()).toEqual({ clicks: 0, keys: 0, characters: 0 })
  const calls = phoneScreen.page.getByRole('region', { name: '最近的接口调用' })
  await expect(calls).toContainText(`/subscription/orders/${outTradeNo}/sync`)
  expect(await storedOrder(outTradeNo)).toMatchObject({
    status: 'paid',
    confirmed_by: 'sync',
    grants: 1,
    granted_days: 30,
  })
})

test.describe('in a shop where jobs run', () => {
  test.beforeEach(({ quietShop: _ }) => {})

  test('a lost notification heals by itself, and the order’s open page says so: nothing is pressed', async ({
    operator,
    phone,
    platform,
  }) => {
    await platform.losesNotifications()
    const purchase = await phone.buys('monthly')
    const { out_trade_no } = purchase.order
    await operator.goto(orderPath(out_trade_no))
    const pressed = await countPresses(operator)
    await phone.pays(purchase)
    await passTime({ minutes: 2 })
    await expect(fact(operator, '确认方式')).toHaveText('自动检查')
    await expect(operator.getByRole('list', { name: '时间线' })).toContainText('天数变化：购买')
    expect(pressed()).toEqual({ clicks: 0, keys: 0, characters: 0 })
    expect(await storedOrder(out_trade_no)).toMatchObject({
      status: 'paid',
      confirmed_by: 'sweep',
      grants: 1,
      granted_days: 30,
    })
  })
})

test('a lost notification is healed by the Sync button of the console', async ({
  phone,
  operator,
  platform,
}) => {
  await platform.losesNotifications()
  const { out_trade_no } = await phone.buysAndPays('yearly')
  await operator.goto(orderPath(out_trade_no))
  await expect(operator.getByRole('list', { name: '时间线' }).getByRole('listitem')).toHaveCount(2)
  expect(await storedOrder(out_trade_no)).toMatchObject({ status: 'prepay', grants: 0 })

  await operator.getByRole('button', { name: '同步支付状态' }).click()
  await expect(operator.getByText('微信确认已付款，订阅已开通').first()).toBeVisible()
  await expect(fact(operator, '确认方式')).toHaveText('控制台同步')
  expect(await storedOrder(out_trade_no)).toMatchObject({
    status: 'paid',
    confirmed_by: 'admin_sync',
    grants: 1,
    granted_days: 365,
  })
})

test('an unpaid order stays as it is when the console asks the platform', async ({ phone, operator }) => {
  const { order } = await phone.buys('monthly')
  await operator.goto(orderPath(order.out_trade_no))
  await operator.getByRole('button', { name: '同步支付状态' }).click()
  await expect(operator.getByText('微信尚未收到付款，状态不变').first()).toBeVisible()
  const asked = operator
    .getByRole('list', { name: '时间线' })
    .getByRole('listitem')
    .filter({ hasText: '向微信查询' })
    .filter({ hasText: '控制台同步' })
  await expect(asked).toHaveCount(1)
  await expect(asked).toContainText('尚未付款')
  await expect(asked).toContainText('微信请求编号')
  expect(await storedOrder(order.out_trade_no)).toMatchObject({ status: 'prepay', grants: 0 })
})

test('a page that can no longer be refreshed says since when, until it can again', async ({
  phone,
  operator,
}) => {
  const { order } = await phone.buys('monthly')
  await operator.goto(orderPath(order.out_trade_no))
  const read = '**/api/trpc/order.detail**'
  await operator.route(read, (route) => route.abort())
  const stale = operator.getByRole('status').filter({ hasText: '未能刷新' })
  await expect(stale).toBeVisible()
  await operator.unroute(read)
  await stale.getByRole('button', { name: '重试' }).click()
  await expect(stale).toHaveCount(0)
})
