import type { Locator, Page } from '@playwright/test'
import { beginNote } from '../support/begin-note.ts'
import { countPresses } from '../support/count-presses.ts'
import { fillRefund } from '../support/fill-refund.ts'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { orderPath } from '../support/operator.ts'
import { handleOf, unseenOn } from '../support/stored-operators.ts'
import { parkOrder, refundsOf } from '../support/stored-orders.ts'
import { world } from '../support/world.ts'

const consolePath = (path: string) => `${world().consoleUrl}${path}`

const rowOf = (page: Page, text: string | RegExp) => page.getByRole('row').filter({ hasText: text })

/** Chooses from the menu of a row who looks after it, or when. */
async function lookAfter(page: Page, text: string, choice: string) {
  await rowOf(page, text).getByRole('button', { name: '指派或推迟' }).click()
  await page.getByRole('dialog', { name: '指派或推迟' }).getByRole('button', { name: choice }).click()
}

test.describe('in a shop where nothing else waits', () => {
  // Before anybody acts: an elder alert of another journey would stand before what is looked for.
  test.beforeEach(({ quietShop: _ }) => {})

  test('a refund that waits for a second person is told in title and navigation, and approved in two clicks', async ({
    finance,
    operator,
    phone,
  }) => {
    const { out_trade_no } = await phone.buysAndPays('yearly')
    const { send } = await fillRefund(finance, out_trade_no)
    await send.click()
    await expect(finance).toHaveURL(/\/refunds\/R/)

    await operator.goto(consolePath('/dashboard'))
    await expect(operator).toHaveTitle(/^\(\d+\) 总览/)
    const before = Number((await operator.title()).match(/\d+/)?.[0])
    const entry = operator.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: /^待办/ })
    await expect(entry).toContainText(String(before))
    const pressed = await countPresses(operator)
    const waiting = operator
      .getByRole('region', { name: '待办' })
      .getByRole('listitem')
      .filter({ hasText: '¥268.00' })
    await waiting.getByRole('button', { name: '批准' }).click()
    await operator.getByRole('dialog').getByRole('button', { name: /^批准/ }).click()
    await expect(waiting).toHaveCount(0)
    await expect.poll(pressed).toEqual({ clicks: 2, keys: 0, characters: 0 })
    await expect(operator).toHaveTitle(before === 1 ? /^总览/ : new RegExp(`^\\(${before - 1}\\) 总览`))
    await expect.poll(() => refundsOf(out_trade_no)).not.toContain('requested')
  })

  test('a second payment goes back in three clicks from the first strip of the overview', async ({
    finance,
    phone,
    platform,
  }) => {
    const { out_trade_no } = await phone.buysAndPays('monthly')
    await platform.takesTwice(out_trade_no)
    await finance.goto(consolePath('/dashboard'))
    const pressed = await countPresses(finance)
    const waiting = finance.getByRole('region', { name: '待办' }).getByRole('listitem')
    await waiting.filter({ hasText: out_trade_no }).getByRole('link', { name: '查看' }).click()
    await finance.getByRole('button', { name: '退回第二笔付款' }).click()
    const dialog = finance.getByRole('dialog', { name: '退回第二笔付款' })
    const hint = (await dialog.getByText(/^请输入 \d{6}$/).textContent()) ?? ''
    await dialog.getByLabel('请输入第二笔付款编号的最后 6 位').pressSequentially(hint.slice(-6))
    await dialog.getByRole('button', { name: '退款 ¥29.00' }).click()
    await expect(finance).toHaveURL(/\/refunds\/R/)
    await expect.poll(pressed).toEqual({ clicks: 3, keys: 0, characters: 6 })
  })
})

test('a colleague who is mentioned finds the note in their queue, reads it at its order, and it waits no more', async ({
  operator,
  signedIn,
  phone,
}) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  const { name } = await handleOf(world().operators.finance.email)
  await operator.goto(orderPath(out_trade_no))
  await beginNote(operator)
  await expect(operator.getByRole('dialog').getByLabel('备注', { exact: true })).toBeFocused()
  await operator.keyboard.type(`客户要发票，请跟进 @${name.slice(0, -1)}`)
  await expect(operator.getByRole('option', { name, exact: true })).toHaveAttribute('aria-selected', 'true')
  await operator.keyboard.press('Enter')
  await operator.keyboard.press('Control+Enter')
  await expect(operator.getByRole('region', { name: '备注' })).toContainText('客户要发票')

  const finance = await signedIn('finance')
  await finance.goto(consolePath('/inbox?kind=mention'))
  await expect(finance).toHaveTitle(/^\(\d+\) /)
  const row = rowOf(finance, '客户要发票')
  await expect(row).toContainText('提及了你 · 订单')
  await row.getByRole('link').first().click()
  await expect(finance.getByRole('heading', { level: 1 })).toContainText(out_trade_no)
  const note = finance
    .getByRole('region', { name: '备注' })
    .getByRole('listitem')
    .filter({ hasText: '客户要发票' })
  await expect(note).toBeInViewport()
  await expect.poll(() => unseenOn(out_trade_no)).toBe(0)
  await goWithin(finance, consolePath('/inbox?kind=mention'))
  await expect(finance.getByRole('link', { name: /^待我处理/ })).toBeVisible()
  await expect(row).toHaveCount(0)
})

/** Orders on hold, a hundred at once: other journeys leave many things in the queue that waited longer. */
const held = '/inbox?kind=order&limit=100'

test('an order on hold is claimed, given to a colleague, snoozed and brought back', async ({
  finance,
  operator,
  phone,
}) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await parkOrder(out_trade_no)
  const tail = out_trade_no.slice(-8)
  await operator.goto(consolePath(held))
  await lookAfter(operator, tail, '认领')
  await expect(rowOf(operator, tail)).toContainText('你')
  await finance.goto(consolePath(held))
  await expect(rowOf(finance, tail)).toHaveCount(0)

  await lookAfter(operator, tail, '指派给同事…')
  const assign = operator.getByRole('dialog', { name: '指派给同事' })
  await assign.getByLabel('负责人').selectOption({ label: await labelOf(assign, 'finance@meridian.test') })
  await assign.getByRole('button', { name: '指派' }).click()
  await expect(rowOf(operator, tail)).toHaveCount(0)
  await goWithin(finance, consolePath(`${held}&view=mine`))
  await expect(rowOf(finance, tail)).toContainText('你')

  await lookAfter(finance, tail, '推迟至明天 09:00')
  await expect(rowOf(finance, tail)).toHaveCount(0)
  await finance.getByRole('link', { name: /^已推迟/ }).click()
  await expect(rowOf(finance, tail)).toContainText('09:00')
  await lookAfter(finance, tail, '结束推迟')
  await expect(rowOf(finance, tail)).toHaveCount(0)
  await finance.getByRole('link', { name: /^由我负责/ }).click()
  await rowOf(finance, tail).getByRole('link').first().click()
  await expect(finance).toHaveURL(new RegExp(out_trade_no))
})

/** The whole text of the option that names this colleague. */
async function labelOf(dialog: Locator, email: string): Promise<string> {
  const text = await dialog.locator('option').filter({ hasText: email }).textContent()
  return text ?? ''
}
