import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { fact, orderPath } from '../support/operator.ts'
import { passTime } from '../support/pass-time.ts'
import { openPhone } from '../support/phone-screen.ts'
import { beSoldBy, sellBy } from '../support/sale-policy.ts'
import { storedOrder } from '../support/stored-orders.ts'
import { world } from '../support/world.ts'

test.beforeEach(({ virtualShop: _ }) => {})

const settingsPath = () => `${world().consoleUrl}/settings`
const attempts = (page: Page) => page.getByRole('list', { name: '支付尝试' }).getByRole('listitem')
const steps = (page: Page) => page.getByRole('list', { name: '时间线' }).getByRole('listitem')

test('the owner has plans sold by virtual payment, an Android buys, and its order tells channel, attempt, push and delivery', async ({
  operator,
  page,
}) => {
  await beSoldBy(operator, '微信支付')
  await operator.goto(settingsPath())
  const rule = operator.getByRole('region', { name: '出售渠道与平台规则' })
  await expect(rule).toContainText('仍通过微信支付（JSAPI）出售套餐')
  await expect(rule).toContainText('自 2026 年 4 月 1 日起')
  await sellBy(operator, '虚拟支付')
  await expect(operator.getByText('在售的手机系统都通过虚拟支付出售套餐')).toBeVisible()
  await expect(rule).toHaveCount(0)

  const screen = await openPhone(page)
  const { phone } = screen
  await expect(phone.getByText('付款方式：微信虚拟支付')).toBeVisible()
  const outTradeNo = await screen.chooses('季度会员')
  const sheet = phone.getByRole('dialog', { name: '微信虚拟支付' })
  await expect(sheet).toContainText('¥79.00')
  await operator.goto(orderPath(outTradeNo))
  await expect(attempts(operator)).toContainText('待支付')
  await screen.pays()
  await expect(phone.getByRole('dialog', { name: '支付成功' })).toContainText('订阅已生效，剩余 90 天')
  await phone.getByRole('button', { name: '完成' }).click()
  await expect(phone.getByRole('region', { name: '订阅有效' })).toContainText('90 天')
  const bought = phone.getByRole('listitem').filter({ hasText: outTradeNo })
  await expect(bought).toContainText('已支付')
  await expect(bought).toContainText('虚拟支付')

  await expect(attempts(operator)).toContainText('已支付')
  await expect(fact(operator, '渠道')).toHaveText('虚拟支付')
  await expect(fact(operator, '确认方式')).toHaveText('支付通知')
  await expect(fact(operator, '道具 ID')).toContainText('quarterly')
  for (const step of ['创建订单', '签发支付参数', '收到消息推送', '确认付款', '天数变化：购买'])
    await expect(steps(operator).filter({ hasText: step })).toHaveCount(1)
  await passTime({ minutes: 1 })
  await expect(steps(operator).filter({ hasText: '平台已确认发货' })).toHaveCount(1)
  await expect(fact(operator, '发货')).not.toHaveText('等待平台确认')
  expect(await storedOrder(outTradeNo)).toMatchObject({
    status: 'paid',
    confirmed_by: 'notification',
    amount_fen: 7900,
    grants: 1,
    granted_days: 90,
  })
})

test('an iPhone buys from Apple, and whoever would refund its order reads what the user has to do', async ({
  operator,
  finance,
  page,
}) => {
  await beSoldBy(operator, '虚拟支付')
  const screen = await openPhone(page)
  const { phone } = screen
  await screen.becomes('iPhone')
  await expect(phone.getByText('付款方式：Apple 应用内购买')).toBeVisible()
  const outTradeNo = await screen.chooses('月度会员')
  const sheet = phone.getByRole('dialog', { name: 'App Store' })
  await expect(sheet).toContainText('由 Apple 收款')
  await screen.pays()
  await expect(phone.getByRole('dialog', { name: '支付成功' })).toContainText('剩余 30 天')

  await finance.goto(orderPath(outTradeNo))
  await expect(fact(finance, '支付方式').first()).toHaveText('Apple 支付')
  await finance.getByRole('button', { name: '退款', exact: true }).click()
  const dialog = finance.getByRole('dialog', { name: `退款：订单 ${outTradeNo}` })
  await expect(dialog).toContainText('只有 Apple 能退')
  await expect(dialog.getByRole('region', { name: '可以转告用户' })).toContainText('reportaproblem.apple.com')
  await expect(dialog.getByLabel('退款金额（元）')).toHaveCount(0)
  await dialog.getByRole('button', { name: '知道了' }).click()
  await expect(dialog).toHaveCount(0)
  expect(await storedOrder(outTradeNo)).toMatchObject({ status: 'paid', granted_days: 30 })
})

test('a WeChat that is too old for virtual payment is asked to be updated, and no order is made', async ({
  operator,
  page,
}) => {
  await beSoldBy(operator, '虚拟支付')
  const screen = await openPhone(page)
  const { phone } = screen
  await screen.becomes('旧版微信')
  await phone.getByRole('radio', { name: /月度会员/ }).check()
  await phone.getByRole('button', { name: /支付$/ }).click()
  await expect(phone.getByRole('alert')).toHaveText('当前小程序版本过低，请更新微信和小程序后重试')
  await expect(phone.getByRole('dialog')).toHaveCount(0)
  await expect(phone.getByRole('region', { name: '我的订单' })).toHaveCount(0)
  await expect(phone.getByText('未开通订阅')).toBeVisible()
})

test('a payment sheet that was open while the owner changed the channel is paid by its own, and no payment is lost', async ({
  operator,
  page,
  browser,
  contextOptions,
}) => {
  await beSoldBy(operator, '微信支付')
  const jsapi = await openPhone(page)
  const byJsapi = await jsapi.chooses('月度会员')
  await sellBy(operator, '虚拟支付')
  const context = await browser.newContext({
    ...contextOptions,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
  })
  const virtual = await openPhone(await context.newPage())
  const byVirtual = await virtual.chooses('季度会员')
  await expect(virtual.phone.getByRole('dialog', { name: '微信虚拟支付' })).toBeVisible()
  await jsapi.pays()
  await expect(jsapi.phone.getByRole('dialog', { name: '支付成功' })).toContainText('剩余 30 天')
  await sellBy(operator, '微信支付')
  await virtual.pays()
  await expect(virtual.phone.getByRole('dialog', { name: '支付成功' })).toContainText('剩余 90 天')
  await context.close()

  for (const [outTradeNo, channel] of [
    [byJsapi, '微信支付'],
    [byVirtual, '虚拟支付'],
  ] as const) {
    await operator.goto(orderPath(outTradeNo))
    await expect(fact(operator, '渠道')).toHaveText(channel)
    await expect(fact(operator, '确认方式')).toHaveText('支付通知')
    expect(await storedOrder(outTradeNo)).toMatchObject({ status: 'paid', grants: 1 })
  }
})
