import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { leaksIn, leaksInDatabase, secretsOf } from '../support/find-leaks.ts'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { fact, listedOrders, orderPath, ordersPath } from '../support/operator.ts'
import { passTime } from '../support/pass-time.ts'
import { phonePanel } from '../support/phone-panel.ts'
import { openPhone, type PhoneScreen } from '../support/phone-screen.ts'
import { readCsv } from '../support/read-csv.ts'
import { beSoldBy } from '../support/sale-policy.ts'
import { refundsOf, storedOrder } from '../support/stored-orders.ts'
import { takeOut } from '../support/take-out.ts'
import { world } from '../support/world.ts'

test.beforeEach(({ virtualShop: _ }) => {})

const consolePath = (path: string) => `${world().consoleUrl}${path}`
const steps = (page: Page) => page.getByRole('list', { name: '时间线' }).getByRole('listitem')

/** An iPhone that has bought a plan; answers the order's number. */
async function buysFromApple(screen: PhoneScreen, plan: string): Promise<string> {
  await screen.becomes('iPhone')
  return screen.buys(plan)
}

test('a push that is lost while the phone is offline is made good by the sweep, and the platform is told of the delivery', async ({
  operator,
  page,
  platform: _,
}) => {
  await beSoldBy(operator, '虚拟支付')
  const screen = await openPhone(page)
  const { phone } = screen
  await phonePanel(page).suffers('虚拟支付的推送', '推送丢失')
  const outTradeNo = await screen.chooses('月度会员')
  const ofOrder = `**/subscription/orders/${outTradeNo}**`
  await page.route(ofOrder, (route) => route.abort())
  await screen.pays()
  await expect(phone.getByRole('dialog', { name: '结果确认中' })).toContainText('钱款不会丢失')
  await passTime({ minutes: 1 })

  await operator.goto(orderPath(outTradeNo))
  await expect(fact(operator, '确认方式')).toHaveText('自动检查')
  await expect(steps(operator).filter({ hasText: '收到消息推送' })).toHaveCount(0)
  await expect(steps(operator).filter({ hasText: '平台已确认发货' })).toHaveCount(1)
  await page.unroute(ofOrder)
  await phone.getByRole('button', { name: '再查一次' }).click()
  await expect(phone.getByRole('dialog', { name: '支付成功' })).toContainText('剩余 30 天')
  expect(await storedOrder(outTradeNo)).toMatchObject({ status: 'paid', confirmed_by: 'sweep', grants: 1 })
})

test('a lost push costs a phone that asks nothing, and its order says that it was learned by asking', async ({
  operator,
  page,
  platform: _,
}) => {
  await beSoldBy(operator, '虚拟支付')
  const screen = await openPhone(page)
  await phonePanel(page).suffers('虚拟支付的推送', '推送丢失')
  const outTradeNo = await screen.buys('月度会员')
  await expect(screen.phone.getByRole('region', { name: '订阅有效' })).toContainText('30 天')
  await operator.goto(orderPath(outTradeNo))
  // Whoever asks first: the phone after four seconds, the sweep after five.
  await expect(fact(operator, '确认方式')).toHaveText(/^(?:用户同步|自动检查)$/)
  await expect(steps(operator).filter({ hasText: '平台已确认发货' })).toHaveCount(1)
})

test('a price that drifts from its item’s refuses the sheet and raises an alert, until the item costs the same again', async ({
  operator,
  page,
  browser,
  contextOptions,
}) => {
  await beSoldBy(operator, '虚拟支付')
  const id = `trip-${randomUUID().slice(0, 8)}`
  const dialog = operator.getByRole('dialog')
  await operator.goto(consolePath('/plans'))
  await operator.getByRole('button', { name: '新建套餐' }).click()
  await dialog.getByLabel('代码').fill(id)
  await dialog.getByLabel('名称', { exact: true }).fill('旅途会员')
  await dialog.getByLabel('时长（天）').fill('14')
  await dialog.getByLabel('价格（元）', { exact: true }).fill('19.90')
  await dialog.getByLabel('虚拟支付道具 ID').fill(id)
  await dialog.getByLabel('在小程序里出售').check()
  await dialog.getByRole('button', { name: '创建旅途会员' }).click()
  await operator.getByRole('link', { name: '旅途会员' }).click()
  await operator.getByRole('button', { name: '改价' }).click()
  await dialog.getByLabel('价格（元）', { exact: true }).fill('18.90')
  await dialog.getByRole('button', { name: '改为 ¥18.90' }).click()
  await expect(operator.getByRole('table', { name: '价格记录' })).toContainText('¥18.90')

  const screen = await openPhone(page)
  const { phone } = screen
  const panel = phonePanel(page)
  await panel.addsItem(id, '19.90')
  await expect(panel.word).toContainText(`道具 ${id} 现在是 ¥19.90`)
  await phone.getByRole('radio', { name: /旅途会员/ }).check()
  await phone.getByRole('button', { name: /支付$/ }).click()
  await expect(phone.getByRole('alert')).toContainText('没有扣款（-15013：套餐价格与道具价格不一致）')

  await goWithin(operator, consolePath('/alerts?view=alerts&kind=virtual_price_differs'))
  await operator.getByRole('row').filter({ hasText: id }).getByRole('link').first().click()
  await expect(operator.getByRole('heading', { level: 1 })).toContainText('套餐价格与平台道具不一致')
  await expect(operator.getByText('与套餐价格改成一致并重新发布')).toBeVisible()
  await operator.getByRole('link', { name: '查看套餐' }).click()
  await expect(operator.getByText('因为套餐价格与平台道具的价格不一致而无法付款')).toBeVisible()
  await panel.changesItem(id, '18.90')
  await expect(panel.word).toContainText(`道具 ${id} 现在是 ¥18.90`)
  const context = await browser.newContext({
    ...contextOptions,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
  })
  const other = await openPhone(await context.newPage())
  await other.buys('旅途会员')
  await context.close()

  await operator.getByRole('link', { name: '查看告警' }).click()
  await operator.getByRole('button', { name: '解决' }).click()
  await dialog.getByLabel('解决说明').fill('道具已改为 18.90 元')
  await dialog.getByRole('button', { name: '解决' }).click()
  await expect(operator.getByRole('main')).toContainText('道具已改为 18.90 元')
})

test('Apple asks about a refund and gives the money back: the answer is listed, the refund told and the days go', async ({
  operator,
  finance,
  page,
}) => {
  await beSoldBy(operator, '虚拟支付')
  const screen = await openPhone(page)
  const panel = phonePanel(page)
  const outTradeNo = await buysFromApple(screen, '年度会员')
  await panel.appleAsks(outTradeNo)
  await expect(panel.word).toContainText('我们的意见：')
  await finance.goto(consolePath('/refunds'))
  await finance.getByRole('link', { name: 'Apple 退款问询' }).click()
  const asked = finance.getByRole('table', { name: 'Apple 退款问询列表' }).getByRole('row')
  await expect(asked.filter({ has: finance.getByTitle(outTradeNo) })).toContainText('按使用情况')

  await panel.appleRefunds(outTradeNo)
  await expect(panel.word).toHaveText('Apple 已把钱退给用户，并推送给 API')
  await expect(screen.phone.getByText('未开通订阅')).toBeVisible()
  await expect(screen.phone.getByRole('listitem').filter({ hasText: outTradeNo })).toContainText('已退款')
  await goWithin(finance, orderPath(outTradeNo))
  await expect(finance.getByText('已退款', { exact: true }).first()).toBeVisible()
  for (const step of ['答复 Apple 退款问询', '在系统外退款', '天数变化：退款扣回'])
    await expect(steps(finance).filter({ hasText: step }).first()).toBeVisible()
  await expect(finance.getByRole('table', { name: 'Apple 退款问询' })).toContainText('按使用情况')
  expect(await refundsOf(outTradeNo)).toEqual(['succeeded'])
  expect(await storedOrder(outTradeNo)).toMatchObject({ status: 'refunded', granted_days: 0 })

  await goWithin(finance, consolePath(`/refunds?channel=virtual&q=${outTradeNo}`))
  const refund = finance.getByRole('row').filter({ has: finance.getByTitle(outTradeNo) })
  await refund.getByRole('link').first().click()
  await expect(finance.getByText('这笔退款由 Apple 决定并退还给用户')).toBeVisible()
  await expect(fact(finance, '渠道')).toHaveText('虚拟支付')
  await expect(fact(finance, '申请人')).toHaveText('Apple（系统外）')
})

test('finance finds the orders of a channel in column, filter and file, and checks the items of the plans', async ({
  operator,
  finance,
  page,
}) => {
  await beSoldBy(operator, '虚拟支付')
  const outTradeNo = await (await openPhone(page)).buys('月度会员')
  await finance.setViewportSize({ width: 1600, height: 900 })
  await finance.goto(ordersPath())
  await finance.getByRole('combobox', { name: '渠道' }).click()
  await finance.getByRole('option', { name: '虚拟支付' }).click()
  await expect(finance).toHaveURL(/[?&]channel=virtual/)
  const row = finance.getByRole('row').filter({ has: finance.getByTitle(outTradeNo) })
  await expect(row).toContainText('虚拟支付')
  await expect(listedOrders(finance).first()).toBeVisible()

  const file = await takeOut(finance, 'CSV 文件')
  const [head, ...lines] = readCsv(file.bytes.toString('utf8'))
  const mark = lines.pop()
  const channelAt = head?.indexOf('渠道') ?? -1
  expect(new Set(lines.map((line) => line[channelAt]))).toEqual(new Set(['虚拟支付']))
  expect(lines.map(([number]) => number)).toContain(`="${outTradeNo}"`)
  expect(mark?.[3]).toContain('虚拟支付')

  await goWithin(finance, consolePath('/plans'))
  await finance.getByRole('button', { name: '与平台核对道具' }).click()
  await expect(finance.getByText(/^已核对 \d+ 个道具$/).first()).toBeVisible()
  const monthly = finance.getByRole('row').filter({ hasText: '月度会员' })
  await expect(monthly).toContainText('monthly')
})

test('no secret of virtual payment is in a page, an answer, a file or a row', async ({
  operator,
  finance,
  page,
}) => {
  const heard: { where: string; text: string }[] = []
  const listen = (to: Page) =>
    to.on('response', async (answer) => {
      const text = await answer.text().catch(() => '')
      heard.push({ where: new URL(answer.url()).pathname, text })
    })
  listen(page)
  listen(operator)
  await beSoldBy(operator, '虚拟支付')
  const screen = await openPhone(page)
  const outTradeNo = await buysFromApple(screen, '月度会员')
  await phonePanel(page).appleAsks(outTradeNo)
  await expect(phonePanel(page).word).toContainText('我们的意见：')

  await operator.goto(consolePath('/keys'))
  const virtual = operator.getByRole('region', { name: '虚拟支付' })
  await expect(virtual).toContainText('AppKey、推送 Token 与 EncodingAESKey 均已设置，不显示')
  await expect(fact(operator, '最近一次推送')).not.toHaveText(/没有推送/)
  const paths = [
    '/keys',
    orderPath(outTradeNo),
    '/settings',
    '/refunds/inquiries',
    '/audit',
    '/notifications',
  ]
  for (const path of paths) {
    await operator.goto(path.startsWith('/') ? consolePath(path) : path)
    await operator.waitForLoadState('networkidle')
    heard.push({ where: path, text: await operator.content() })
  }
  await finance.goto(ordersPath())
  const { name, bytes } = await takeOut(finance, 'CSV 文件')
  heard.push({ where: name, text: bytes.toString('utf8') })
  const secrets = await secretsOf(world())
  expect(secrets.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'WECHAT_VIRTUAL_APP_KEY',
      'WECHAT_PUSH_TOKEN',
      'WECHAT_PUSH_AES_KEY',
      'a session key',
    ]),
  )
  expect(heard.length).toBeGreaterThan(20)
  expect(leaksIn(heard, secrets)).toEqual([])
  expect(await leaksInDatabase(world().databaseUrl, secrets)).toEqual([])
})
