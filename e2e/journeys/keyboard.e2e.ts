import type { Locator, Page } from '@playwright/test'
import { countPresses } from '../support/count-presses.ts'
import { fillRefund } from '../support/fill-refund.ts'
import { expect, test } from '../support/journey.ts'
import { expectFocusSeen, hasFocus, tabTo } from '../support/keyboard.ts'
import { codeOf, listedOrders, orderPath } from '../support/operator.ts'
import { unlockPhone } from '../support/phone.ts'
import { parkOrder, refundsOf } from '../support/stored-orders.ts'
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

/** Walks down the rows until the link of the wanted one has the focus; answers how many keys it took. */
async function walkTo(page: Page, row: Locator): Promise<number> {
  const rows = await page.getByRole('main').getByRole('row').count()
  for (let keys = 1; keys <= rows; keys += 1) {
    await page.keyboard.press('ArrowDown')
    await expectFocusSeen(page)
    if (await row.locator('a:focus').count()) return keys
  }
  throw new Error(`No arrow key leads to ${row}`)
}

/** Opens what may be done with the row in focus, and walks to a choice; Enter then makes it. */
async function chooses(page: Page, { row, choice, steps }: { row: Locator; choice: string; steps: number }) {
  const opener = row.getByRole('button', { name: '指派或推迟' })
  // Its last act may still be under way.
  await expect(opener).toHaveAttribute('aria-disabled', 'false')
  const tabs = (await hasFocus(opener)) ? 0 : await tabTo(page, opener)
  await page.keyboard.press('Enter')
  const menu = page.getByRole('dialog', { name: '指派或推迟' })
  await expect(menu.getByRole('button').first()).toBeFocused()
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('button', { name: choice })).toBeFocused()
  await expectFocusSeen(page)
  await page.keyboard.press('Enter')
  await expect(menu).toBeHidden()
  return tabs + steps + 2
}

test.describe('in a shop where nothing else waits', () => {
  // Before anybody acts: what other journeys leave in the queue would stand before what is looked for.
  test.beforeEach(({ quietShop: _ }) => {})

  test('the queue is worked by the keyboard alone, and the focus is never lost: a row is claimed, put off, decided', async ({
    finance,
    operator,
    phone,
  }) => {
    const bought = await phone.buysAndPays('yearly')
    await (await fillRefund(finance, bought.out_trade_no)).send.click()
    await expect(finance).toHaveURL(/\/refunds\/R/)
    // Of somebody else: two orders of one person would wait as a double payment too.
    const { out_trade_no: held } = await (await unlockPhone()).buysAndPays('monthly')
    await parkOrder(held)

    await operator.goto(`${world().consoleUrl}/dashboard`)
    const pressed = await countPresses(operator)
    await operator.keyboard.press('g')
    await operator.keyboard.press('w')
    await expect(operator.getByRole('heading', { name: '待办', level: 1 })).toBeVisible()
    const rows = operator.getByRole('main').getByRole('row')
    const row = rows.filter({ hasText: '订单暂停处理' }).filter({ hasText: held.slice(-8) })
    await expect(row).toBeVisible()
    let keys = 2 + (await walkTo(operator, row))

    keys += await chooses(operator, { row, choice: '认领', steps: 0 })
    await expect(row).toContainText('你')
    await expectFocusSeen(operator)
    keys += await chooses(operator, { row, choice: '推迟至明天 09:00', steps: 3 })
    await expect(row).toHaveCount(0)
    await expectFocusSeen(operator)

    const approvals = operator.getByRole('link', { name: /^审批/ })
    keys += await tabTo(operator, approvals, 'Shift+Tab')
    await operator.keyboard.press('Enter')
    await expect(approvals).toHaveAttribute('aria-current', 'true')
    await expect(rows).toHaveCount(2)
    const waiting = rows.filter({ hasText: '¥268.00' })
    keys += await walkTo(operator, waiting)
    keys += await tabTo(operator, waiting.getByRole('button', { name: '批准' }))
    await operator.keyboard.press('Enter')
    const dialog = operator.getByRole('dialog', { name: /^批准/ })
    await expect(dialog).toBeVisible()
    await expectFocusSeen(operator)
    keys += await tabTo(operator, dialog.getByRole('button', { name: /^批准/ }))
    await operator.keyboard.press('Enter')
    await expect(waiting).toHaveCount(0)
    await expect.poll(() => refundsOf(bought.out_trade_no)).not.toContain('requested')
    // Nothing of the kind is left: to stand on there is the page itself.
    await expect(operator.getByRole('main')).toBeFocused()
    await expect.poll(pressed).toEqual({ clicks: 0, keys: keys + 3, characters: 0 })
  })
})
