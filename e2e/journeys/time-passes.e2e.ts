import type { Page } from '@playwright/test'
import { fillRefund } from '../support/fill-refund.ts'
import { expect, test } from '../support/journey.ts'
import { orderPath, signIn } from '../support/operator.ts'
import { openPhone } from '../support/phone-screen.ts'
import { runToEnd } from '../support/start-process.ts'
import type { StartedWorld } from '../support/start-world.ts'
import { keepProven } from '../support/stored-operators.ts'
import { storedOrder } from '../support/stored-orders.ts'
import { within, world } from '../support/world.ts'

test.setTimeout(600_000)

/** Gives the whole of an order back, as finance does at the console. */
async function givesBack(page: Page, outTradeNo: string): Promise<void> {
  await keepProven(world().operators.finance.email)
  const { send } = await fillRefund(page, outTradeNo)
  await send.click()
  await expect(page).toHaveURL(/\/refunds\/R/)
  await expect(page.getByText('已退款').first()).toBeVisible()
}

const verifyLedger = async () =>
  runToEnd('apps/api/dist/commands/verify-ledger.js', {
    env: { DATABASE_URL: world().databaseUrl, WECHAT_PAY_BASE_URL: world().sandboxUrl },
  })

async function live(page: Page, { restart }: StartedWorld): Promise<void> {
  const screen = await openPhone(page)
  const { phone } = screen
  const days = phone.getByText(/^\d+$/).first()

  await screen.buys('月度会员')
  await phone.getByRole('button', { name: '到期前提醒我' }).click()
  await expect(phone.getByText('已允许一次到期提醒')).toBeVisible()
  await screen.waits(28)
  await expect(days).toHaveText('2')
  await expect(page.getByRole('list', { name: '服务通知' }).getByText('月度会员')).toBeVisible()

  await screen.waits(3)
  await expect(phone.getByText('未开通订阅')).toBeVisible()
  const renewed = await screen.buys('月度会员')
  await expect(days).toHaveText('30')
  await screen.waits(40)
  await expect(phone.getByText('未开通订阅')).toBeVisible()
  const bought = await screen.buys('月度会员')
  await expect(days).toHaveText('30')

  const finance = await page.context().newPage()
  await signIn(finance, 'finance')
  await expect(finance.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
  for (const order of [renewed, bought]) await givesBack(finance, order)
  expect(await verifyLedger()).toContain('0 differ, 0 grants of another platform')

  const now = page.getByRole('time').first()
  const before = await now.textContent()
  await restart()
  await page.reload()
  await expect(phone.getByText('未开通订阅')).toBeVisible()
  await expect(phone.getByRole('listitem').filter({ hasText: '已退款' })).toHaveCount(2)
  await expect(phone.getByRole('listitem').filter({ hasText: '已支付' })).toHaveCount(1)
  expect((await now.textContent())?.slice(0, 11)).toBe(before?.slice(0, 11))
  for (const order of [renewed, bought])
    expect(await storedOrder(order)).toMatchObject({ status: 'refunded' })
  await finance.goto(orderPath(bought))
  await finance.getByRole('button', { name: '同步' }).first().click()
  await expect(finance.getByText('已退款').first()).toBeVisible()
  await screen.buys('季度会员')
  await expect(days).toHaveText('90')
  expect(await verifyLedger()).toContain('0 differ, 0 grants of another platform')
}

test('a month passes with its reminder, is renewed late, ends, is bought again and given back, and all is there after a restart', async ({
  browser,
  contextOptions,
  ownWorld: own,
}) => {
  const context = await browser.newContext({
    ...contextOptions,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
  })
  const page = await context.newPage()
  await within(own.world, () => live(page, own))
  await context.close()
})
