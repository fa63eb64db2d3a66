import type { Page } from '@playwright/test'
import { expectNoSidewaysScroll, expectNoViolations, narrow, wide } from '../support/accessible.ts'
import { fillRefund } from '../support/fill-refund.ts'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { wear } from '../support/looks.ts'
import { orderPath } from '../support/operator.ts'
import { storedOrder } from '../support/stored-orders.ts'
import { world } from '../support/world.ts'

const consolePath = (path: string) => `${world().consoleUrl}${path}`

/** As both languages and themes show it, wide and on a phone. */
async function lookAt(page: Page): Promise<void> {
  const url = page.url()
  for (const look of [
    { language: 'en', theme: 'dark' },
    { language: 'zh-CN', theme: 'light' },
  ] as const) {
    await wear(page, look)
    await page.goto(url)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    for (const size of [wide, narrow]) {
      await page.setViewportSize(size)
      await expectNoViolations(page)
      await expectNoSidewaysScroll(page)
    }
    await page.setViewportSize(wide)
  }
}

test('a refund that WeChat refuses says so once, and is given up by two persons', async ({
  finance,
  operator,
  phone,
  platform,
}) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await platform.refusesRefunds()
  await (await fillRefund(finance, out_trade_no)).send.click()
  await expect(finance).toHaveURL(/\/refunds\/R/)
  await finance.getByRole('button', { name: '向微信查询或重试' }).click()
  await expect(finance.getByText('被拒', { exact: true })).toBeVisible()
  await expect(finance.getByText('处理中')).toHaveCount(0)
  await expect(finance.locator('code[data-raw]')).toHaveText('SYSTEM_ERROR')

  await finance.getByRole('button', { name: '终止退款' }).click()
  await finance.getByRole('dialog').getByRole('textbox').fill('微信查不到这笔付款')
  await expectNoViolations(finance, 'dialog[open]')
  await finance.getByRole('dialog').getByRole('button', { name: '申请终止' }).click()
  await expect(finance.getByRole('heading', { name: '终止退款 ¥29.00' })).toBeVisible()
  await lookAt(finance)

  await operator.goto(consolePath('/refunds?status=refused'))
  await expect(operator.getByRole('link', { name: /被拒/ }).first()).toBeVisible()
  await goWithin(operator, finance.url())
  const waiting = operator.getByRole('listitem', { name: '终止退款 ¥29.00' })
  await waiting.getByRole('button', { name: '批准' }).click()
  await operator.getByRole('dialog').getByRole('button', { name: '批准 终止退款 ¥29.00' }).click()
  await expect(operator.getByText('已终止', { exact: true })).toBeVisible()
  expect(await storedOrder(out_trade_no)).toMatchObject({ status: 'paid', refund_reserved_fen: 0 })
  await lookAt(operator)
  await goWithin(operator, orderPath(out_trade_no))
  const timeline = operator.getByRole('list', { name: '时间线' })
  await expect(timeline.getByRole('listitem').filter({ hasText: '退款已终止' })).toContainText('申请人')
})

test('a second payment goes back from its alert, and the order stays as it is', async ({
  finance,
  phone,
  platform,
}) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await platform.takesTwice(out_trade_no)
  await finance.goto(consolePath('/alerts?view=alerts&kind=second_transaction'))
  const row = finance.getByRole('row').filter({ hasText: out_trade_no })
  await row.getByRole('link', { name: '第二笔付款' }).click()
  await finance.getByRole('button', { name: '退回第二笔付款' }).click()
  const dialog = finance.getByRole('dialog', { name: '退回第二笔付款' })
  await expect(dialog.getByText('下单人本人')).toBeVisible()
  await expectNoViolations(finance, 'dialog[open]')
  await finance.setViewportSize(narrow)
  await expectNoSidewaysScroll(finance)
  await finance.setViewportSize(wide)
  const hint = (await dialog.getByText(/^请输入 \d{6}$/).textContent()) ?? ''
  await dialog.getByLabel('请输入第二笔付款编号的最后 6 位').fill(hint.slice(-6))
  await dialog.getByRole('button', { name: '退款 ¥29.00' }).click()
  await expect(finance).toHaveURL(/\/refunds\/R/)
  await finance.getByRole('button', { name: '向微信查询或重试' }).click()
  await expect(finance.getByText('第二笔付款的编号')).toBeVisible()
  await lookAt(finance)
  expect(await storedOrder(out_trade_no)).toMatchObject({ status: 'paid', refund_reserved_fen: 0 })
})
