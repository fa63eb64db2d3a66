import type { Page, Response } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { listedOrders, orderPath, ordersPath, signIn } from '../support/operator.ts'
import { unlockPhone } from '../support/phone.ts'
import { buyerOf, countedOrders, storedOrder } from '../support/stored-orders.ts'

const table = (page: Page) => page.getByRole('table', { name: '订单列表' })
const heads = (page: Page) => table(page).getByRole('columnheader')
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: '按状态筛选' }).getByRole('link', { name })

/** The titles of the table from left to right, beside the box that chooses the page. */
const titlesOf = (page: Page) =>
  heads(page).evaluateAll((cells) => cells.flatMap((cell) => cell.ariaLabel ?? []))

const usual = ['订单号', '用户', '状态', '套餐', '金额', '创建时间', '支付时间']
const arranged = ['订单号', '用户', '金额', '状态', '创建时间', '支付时间']

test('an operator arranges the list, and finds it like that after a reload; nobody else does', async ({
  operator,
  phone,
}) => {
  await phone.buysAndPays('monthly')
  await operator.goto(ordersPath())
  await expect(heads(operator).first()).toBeVisible()
  expect(await titlesOf(operator)).toEqual(usual)
  const height = async () => (await table(operator).getByRole('row').nth(1).boundingBox())?.height ?? 0
  const before = await height()

  await operator.getByRole('button', { name: '表格设置' }).click()
  const sheet = operator.getByRole('dialog', { name: '表格设置' })
  await expect(sheet.getByRole('checkbox', { name: /^订单号/ })).toBeDisabled()
  await sheet.getByRole('checkbox', { name: '套餐' }).uncheck()
  const up = sheet.getByRole('button', { name: '上移“金额”' })
  // Above the channel, which stands in wider lists alone, the plan and the status.
  for (let step = 0; step < 3; step += 1) await up.press('Enter')
  await expect(up).toBeFocused()
  await sheet.getByRole('radio', { name: '紧凑' }).check()
  await operator.keyboard.press('Escape')
  expect(await titlesOf(operator)).toEqual(arranged)
  expect(await height()).toBeLessThan(before)

  const edge = operator.getByRole('separator', { name: '“订单号”的列宽' })
  const shownWidth = async () => Math.round((await heads(operator).nth(1).boundingBox())?.width ?? 0)
  const usualWidth = await shownWidth()
  await edge.press('ArrowLeft')
  await expect.poll(shownWidth).toBe(usualWidth - 16)
  await edge.press('ArrowLeft')
  await expect.poll(shownWidth).toBe(usualWidth - 32)
  await edge.press('ArrowRight')
  const width = usualWidth - 16
  await expect.poll(shownWidth).toBe(width)

  await operator.reload()
  await expect(heads(operator).nth(3)).toHaveAccessibleName('金额')
  expect(await titlesOf(operator)).toEqual(arranged)
  expect(await height()).toBeLessThan(before)
  await expect(edge).toHaveAttribute('aria-valuenow', `${width}`)

  await operator.context().clearCookies()
  await signIn(operator, 'viewer')
  await expect(operator.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
  await operator.goto(ordersPath())
  await expect(heads(operator).first()).toBeVisible()
  expect(await titlesOf(operator)).toEqual(usual)
  await operator.getByRole('checkbox', { name: '选择整页' }).check()
  const sync = operator
    .getByRole('region', { name: '已选的行' })
    .getByRole('button', { name: '同步支付状态' })
  await expect(sync).toHaveAttribute('aria-disabled', 'true')
  await expect(sync).toHaveAccessibleDescription(/需要/)
})

test('several orders are synced one after the other, each says what came of it, and the tabs count them', async ({
  operator,
  phone,
  platform,
}) => {
  await platform.losesNotifications()
  const paid = await phone.buysAndPays('monthly')
  const { order: unpaid } = await (await unlockPhone()).buys('yearly')
  await operator.goto(ordersPath())
  await expect(listedOrders(operator).first()).toHaveAttribute('title', unpaid.out_trade_no)
  for (const { out_trade_no } of [paid, unpaid])
    await operator.getByRole('checkbox', { name: `选择 ${out_trade_no}` }).check()
  const bar = operator.getByRole('region', { name: '已选的行' })
  await expect(bar).toContainText('已选 2 行')
  await bar.getByRole('button', { name: '同步支付状态' }).click()

  const dialog = operator.getByRole('dialog', { name: '同步 2 笔订单' })
  await expect(dialog.getByRole('status')).toHaveText('已完成 2 / 2')
  const line = (outTradeNo: string) => dialog.getByRole('listitem').filter({ hasText: outTradeNo })
  await expect(line(paid.out_trade_no)).toContainText('微信确认已付款，订阅已开通')
  await expect(line(unpaid.out_trade_no)).toContainText('微信尚未收到付款，状态不变')
  expect(await storedOrder(paid.out_trade_no)).toMatchObject({ status: 'paid', confirmed_by: 'admin_sync' })
  expect(await storedOrder(unpaid.out_trade_no)).toMatchObject({ status: 'prepay' })
  await dialog.getByRole('button', { name: '完成', exact: true }).click()
  await expect(dialog).toBeHidden()

  // A notification that the platform repeats may move an order of an earlier journey meanwhile: then it is read anew.
  let tries = 0
  await expect(async () => {
    if (tries++ > 0) await operator.reload()
    for (const [name, count] of Object.entries(await countedOrders()))
      await expect(tab(operator, name)).toHaveText(`${name} ${count}`, { timeout: 5_000 })
  }).toPass()
  await tab(operator, '已支付').click()
  await expect(operator.getByRole('checkbox', { name: `选择 ${paid.out_trade_no}` })).toBeVisible()
  await expect(operator.getByRole('checkbox', { name: `选择 ${unpaid.out_trade_no}` })).toHaveCount(0)
})

test('the orders of a list are read in one call before one is pressed, which then opens where the list stands', async ({
  operator,
  phone,
}) => {
  await phone.buysAndPays('monthly')
  const { out_trade_no } = await phone.buysAndPays('quarterly')
  // Of this user alone: other journeys buy meanwhile, and the first page has twenty lines.
  const list = ordersPath(`?q=${(await buyerOf(out_trade_no)).userId}`)
  const timeline = operator.getByRole('list', { name: '时间线' })
  const asked: URL[] = []
  const answered: URL[] = []
  operator.on('request', (request) => void asked.push(new URL(request.url())))
  operator.on('requestfinished', (request) => void answered.push(new URL(request.url())))
  const callsOf = (urls: readonly URL[], procedure: string) =>
    urls.filter(({ pathname }) => pathname === `/api/trpc/${procedure}`)
  const isRead = (response: Response) => response.url().includes('/api/trpc/order.details')
  const read = operator.waitForResponse(isRead)
  await operator.goto(list)
  expect(await (await read).text()).toContain(out_trade_no)
  await operator.waitForLoadState('networkidle')
  await listedOrders(operator)
    .and(operator.locator(`[title="${out_trade_no}"]`))
    .click()
  await expect(timeline).toBeVisible()
  await expect(operator).toHaveURL(orderPath(out_trade_no))
  await expect(operator).toHaveTitle(/^(\(\d+\+?\) )?订单 M/)
  // Its page asks for it anew, and nobody for another page of the server.
  await expect.poll(() => callsOf(asked, 'order.detail').length).toBe(1)
  // One that is given up, because the list has changed meanwhile, is asked again.
  expect(callsOf(answered, 'order.details')).toHaveLength(1)
  expect(asked.filter(({ pathname }) => pathname.startsWith('/orders/'))).toEqual([])

  await operator.goBack()
  await expect(listedOrders(operator).first()).toBeVisible()
  await expect(operator).toHaveTitle(/^(\(\d+\+?\) )?订单 ·/)
  await operator.goForward()
  await expect(timeline).toBeVisible()
  await operator.getByRole('link', { name: '返回订单列表' }).click()
  await expect(operator).toHaveURL(ordersPath())
  await expect(listedOrders(operator).first()).toBeVisible()
  await operator.goBack()
  await expect(timeline).toBeVisible()
  await operator.reload()
  await expect(timeline).toBeVisible()
  await expect(operator).toHaveTitle(/^(\(\d+\+?\) )?订单 M/)
})

test('the next page of a list and its other views are read before they are turned to', async ({
  operator,
  phone,
}) => {
  await phone.buys('monthly')
  await Promise.all(Array.from({ length: 20 }, async () => (await unlockPhone()).buys('monthly')))
  const asked: URLSearchParams[] = []
  operator.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/trpc/order.list') asked.push(searchParams)
  })
  const inputs = () => asked.map((search) => search.get('input') ?? '')
  await operator.goto(ordersPath())
  await expect.poll(() => inputs().some((input) => input.includes('cursor'))).toBe(true)
  await expect.poll(() => inputs().some((input) => input.includes('"paid"'))).toBe(true)
  await operator.waitForLoadState('networkidle')
  await operator.getByRole('button', { name: '下一页' }).click()
  await expect(operator).toHaveURL(/[?&]cursor=/)
  await expect(listedOrders(operator).first()).toBeVisible()
})
