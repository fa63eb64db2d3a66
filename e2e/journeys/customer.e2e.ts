import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { beginNote } from '../support/begin-note.ts'
import { ask } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { ordersPath } from '../support/operator.ts'
import { hits, searchFrom } from '../support/palette.ts'
import { world } from '../support/world.ts'

const feedOf = (page: Page) => page.getByRole('region', { name: '动态' })

/** The panels of the page, from top to bottom. */
const panelsOf = (page: Page) =>
  page
    .locator('main section[aria-label]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))

test('everything about a customer is one page away, by the name that they say: the search, the name, Enter', async ({
  operator,
  phone,
}) => {
  const id = await phone.isKnownAs()
  const order = await phone.buysAndPays('monthly')
  const name = `Zoe${randomUUID().slice(0, 4)}`
  await ask('UPDATE users SET nickname = $2 WHERE id = $1', [id ?? null, name])
  const pressed = await searchFrom(operator, ordersPath())
  await operator.keyboard.type(name)
  await expect(hits(operator)).toHaveCount(1)
  await operator.keyboard.press('Enter')
  await expect(operator).toHaveURL(`${world().consoleUrl}/users/${id}`)
  await expect(operator.getByRole('region', { name: '资金往来' })).toContainText('¥29.00')
  await expect(operator.getByRole('region', { name: '为什么有权限' })).toContainText('30 天')
  const bought = feedOf(operator).getByRole('listitem').filter({ hasText: '创建订单' })
  await expect(bought.getByRole('link')).toHaveAttribute('href', `/orders/${order.out_trade_no}`)
  expect((await panelsOf(operator)).slice(0, 3)).toEqual(['资金往来', '为什么有权限', '动态'])
  await expect.poll(pressed).toEqual({ clicks: 0, keys: 2, characters: name.length })
})

test('the page of a customer has money and access on top, and one feed of everything below', async ({
  operator,
  phone,
}) => {
  const id = await phone.isKnownAs()
  const serial = `FEED-${randomUUID().slice(0, 8).toUpperCase()}`
  await phone.binds(serial)
  const order = await phone.buysAndPays('monthly')
  await operator.goto(`${world().consoleUrl}/users/${id}`)
  expect((await panelsOf(operator)).slice(0, 3)).toEqual(['资金往来', '为什么有权限', '动态'])
  await expect(operator.getByRole('region', { name: '资金往来' })).toContainText('¥29.00')
  const lines = feedOf(operator).getByRole('listitem')
  const payment = lines.filter({ hasText: '确认付款' })
  await expect(payment).toContainText('¥29.00')
  await expect(payment.getByTitle(order.out_trade_no)).toBeVisible()
  await expect(payment.getByRole('button', { name: '复制订单号' })).toBeVisible()
  await expect(lines.filter({ hasText: `绑定设备 ${serial}` })).toBeVisible()
  await expect(lines.filter({ hasText: '登录小程序' }).first()).toBeVisible()

  await feedOf(operator).getByRole('button', { name: '资金' }).click()
  await expect(lines.filter({ hasText: serial })).toHaveCount(0)
  await expect(operator).toHaveURL(/feed=money/)
  await operator.reload()
  await expect(feedOf(operator).getByRole('button', { name: '资金' })).toHaveAttribute('aria-pressed', 'true')
  await lines.filter({ hasText: '创建订单' }).getByRole('link').click()
  await expect(operator.getByRole('heading', { level: 1 })).toContainText(order.out_trade_no)
})

test('what is written on the page of a customer stands in their feed at once', async ({
  operator,
  phone,
}) => {
  const id = await phone.isKnownAs()
  await operator.goto(`${world().consoleUrl}/users/${id}`)
  await beginNote(operator)
  await expect(operator.getByRole('dialog').getByLabel('备注', { exact: true })).toBeFocused()
  await operator.keyboard.type('已致电，周五付款')
  await operator.keyboard.press('Control+Enter')
  await expect(feedOf(operator).getByText('已致电，周五付款')).toBeVisible()
})

test('the page of a customer has the newest reports for who may read them, and says why not to others', async ({
  operator,
  signedIn,
  phone,
}) => {
  const id = await phone.isKnownAs()
  const report = await phone.scans()
  const reportsOn = async (page: Page) => {
    await page.goto(`${world().consoleUrl}/users/${id}`)
    return page.getByRole('region', { name: '报告（共 1 份）' })
  }
  const reports = await reportsOn(operator)
  await expect(reports.locator(`a[href="/reports/${report}"]`)).toBeVisible()
  await reports.getByRole('link', { name: '全部报告' }).click()
  await expect(operator).toHaveURL(`${world().consoleUrl}/reports?q=${id}`)
  await expect(
    operator.getByRole('table', { name: '报告列表' }).locator(`a[href="/reports/${report}"]`),
  ).toBeVisible()
  await expect(await reportsOn(await signedIn('viewer'))).toContainText('不能查看')
})
