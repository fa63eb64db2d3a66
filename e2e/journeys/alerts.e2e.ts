import type { Page } from '@playwright/test'
import { countPresses } from '../support/count-presses.ts'
import { ask } from '../support/database.ts'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { passTime } from '../support/pass-time.ts'
import type { Phone } from '../support/phone.ts'
import type { Platform } from '../support/platform.ts'
import {
  keptNotification,
  parkOrder,
  refundsOf,
  setLatePolicy,
  storedOrder,
} from '../support/stored-orders.ts'
import { world } from '../support/world.ts'

const desk = (query = '') => `${world().consoleUrl}/alerts${query}`

/** An order whose notification named another amount, which raises an alert; no later notification arrives. */
async function payWithAnotherAmount(phone: Phone, platform: Platform): Promise<string> {
  const purchase = await phone.buys('monthly')
  const { out_trade_no } = purchase.order
  await platform.overstates(out_trade_no)
  await phone.pays(purchase)
  await keptNotification(out_trade_no)
  await platform.losesNotifications()
  return out_trade_no
}

type Decision = { choice: string; reason: string; tells?: string }

/** Decides about a parked order at the desk, where its row tells why it waits and is gone afterwards. */
async function decides(page: Page, outTradeNo: string, { choice, reason, tells = outTradeNo }: Decision) {
  await page.goto(desk())
  const row = page.getByRole('row').filter({ hasText: outTradeNo })
  await expect(row).toContainText(tells)
  await row.getByRole('button', { name: '作出决定' }).click()
  const dialog = page.getByRole('dialog', { name: `决定订单 ${outTradeNo}` })
  await dialog.getByRole('radio', { name: choice }).check()
  const decide = dialog.getByRole('button', { name: choice })
  await expect(decide).toHaveAccessibleDescription('请写明原因')
  await dialog.getByLabel('原因').fill(reason)
  await decide.click()
  await expect(row).toHaveCount(0)
}

test('a parked order is decided at the desk and goes on', async ({ operator, phone }) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await parkOrder(out_trade_no)
  await decides(operator, out_trade_no, { choice: '恢复自动处理', reason: '核对无误' })
  expect(await storedOrder(out_trade_no)).toMatchObject({ parked: false, grants: 1 })
})

test('a payment that came too late gives no days until finance decides that it does', async ({
  signedIn,
  phone,
  platform,
}) => {
  const purchase = await phone.buys('monthly')
  const { out_trade_no } = purchase.order
  await passTime({ minutes: 31 })
  await phone.cancels(purchase)
  await setLatePolicy('ask')
  await platform.takesLate(out_trade_no)
  await keptNotification(out_trade_no)
  await setLatePolicy('activate')
  expect(await storedOrder(out_trade_no)).toMatchObject({ status: 'paid', parked: true, granted_days: 0 })

  const decision = { choice: '开通 30 天', reason: '用户来电，款已收到', tells: '付款逾期' }
  await decides(await signedIn('finance'), out_trade_no, decision)
  expect(await storedOrder(out_trade_no)).toMatchObject({ parked: false, granted_days: 30 })
})

test('an alert about a payment that does not fit its order is taken, and resolved with a word', async ({
  signedIn,
  phone,
  platform,
}) => {
  const out_trade_no = await payWithAnotherAmount(phone, platform)
  expect(await storedOrder(out_trade_no)).toMatchObject({ status: 'prepay', grants: 0 })

  const operator = await signedIn('operator')
  await operator.goto(desk('?view=alerts&kind=payment_mismatch'))
  const row = operator.getByRole('row').filter({ hasText: out_trade_no })
  await row.getByRole('button', { name: '认领' }).click()
  await expect(row).toContainText('operator@meridian.test')
  await row.getByRole('button', { name: '解决' }).click()
  const dialog = operator.getByRole('dialog', { name: '解决：支付结果与订单不符' })
  await dialog.getByLabel('解决说明').fill('平台确认是重复的测试')
  await dialog.getByRole('button', { name: '解决' }).click()
  await expect(row).toHaveCount(0)
  await operator.getByRole('link', { name: '已解决告警' }).click()
  await expect(row).toContainText('平台确认是重复的测试')
})

test('an alert has a page: what differs, the order, the notification and the act; its order says so too', async ({
  signedIn,
  phone,
  platform,
}) => {
  const out_trade_no = await payWithAnotherAmount(phone, platform)
  const operator = await signedIn('operator')
  await operator.goto(desk('?view=alerts&kind=payment_mismatch'))
  const row = operator.getByRole('row').filter({ hasText: out_trade_no })
  await row.getByRole('link', { name: '支付结果与订单不符' }).click()
  await expect(operator.getByRole('heading', { level: 1 })).toHaveText('支付结果与订单不符')
  const differing = operator.getByRole('table', { name: '不一致的字段' })
  await expect(differing.getByRole('row', { name: /^金额 ¥29\.00 ¥/ })).toBeVisible()
  await expect(operator.getByRole('region', { name: '支付通知' })).toContainText('内容不符')
  await operator.getByRole('button', { name: '试运行与重放' }).click()
  await expect(operator.getByRole('region', { name: '重放的影响' })).toContainText('内容不符')
  await operator.keyboard.press('Escape')
  await operator
    .getByRole('region', { name: /^相关订单/ })
    .getByRole('link')
    .click()
  await expect(operator.getByRole('main')).toContainText('未解决告警：')
  await operator.getByRole('link', { name: '支付结果与订单不符' }).click()
  await operator.getByRole('button', { name: '解决' }).click()
  const dialog = operator.getByRole('dialog', { name: '解决：支付结果与订单不符' })
  await dialog.getByLabel('解决说明').fill('金额由平台更正')
  await dialog.getByRole('button', { name: '解决' }).click()
  await expect(operator.getByRole('main')).toContainText('金额由平台更正')
})

/** The open alerts of a kind that are about this order. */
const openAbout = (kind: string, outTradeNo: string) =>
  ask(`SELECT id FROM alerts WHERE kind = $1 AND subject LIKE '%' || $2 || '%' AND resolved_at IS NULL`, [
    kind,
    outTradeNo,
  ])

test('a payment that did not fit is settled by asking the platform on the page of its alert, which then ends by itself', async ({
  signedIn,
  phone,
  platform,
}) => {
  const out_trade_no = await payWithAnotherAmount(phone, platform)
  const operator = await signedIn('operator')
  await operator.goto(desk('?view=alerts&kind=payment_mismatch&limit=100'))
  const pressed = await countPresses(operator)
  const row = operator.getByRole('row').filter({ hasText: out_trade_no })
  await row.getByRole('link', { name: '支付结果与订单不符' }).click()
  const order = operator.getByRole('region', { name: /^相关订单/ }).getByRole('row')
  await expect(order.filter({ hasText: '待支付' })).toHaveCount(1)
  await operator.getByRole('button', { name: '同步支付状态' }).click()
  await expect(operator.getByText('微信确认已付款，订阅已开通').first()).toBeVisible()
  await expect(order.filter({ hasText: '已支付' })).toHaveCount(1)
  await expect.poll(pressed).toEqual({ clicks: 2, keys: 0, characters: 0 })
  expect(await storedOrder(out_trade_no)).toMatchObject({
    status: 'paid',
    confirmed_by: 'admin_sync',
    granted_days: 30,
  })

  await expect.poll(() => openAbout('payment_mismatch', out_trade_no)).toEqual([])
  await operator.reload()
  await expect(operator.getByRole('main')).toContainText('自动恢复：订单已支付')
  await expect(operator.getByRole('button', { name: '同步支付状态' })).toHaveCount(0)
})

test.describe('in a shop where jobs run and nothing else waits', () => {
  test.beforeEach(({ quietShop: _ }) => {})

  test('of two orders paid one after the other the later goes back in three clicks, and their alert ends by itself', async ({
    finance,
    phone,
  }) => {
    const { out_trade_no: earlier } = await phone.buysAndPays('monthly')
    const { out_trade_no: later } = await phone.buysAndPays('monthly')
    await expect.poll(() => openAbout('possible_double_payment', later)).toHaveLength(1)
    await finance.goto(desk('?view=alerts'))
    const pressed = await countPresses(finance)
    await finance.getByRole('link', { name: '疑似重复付款' }).click()
    await finance.getByRole('button', { name: '退回后一笔订单 ¥29.00' }).click()
    const dialog = finance.getByRole('dialog', { name: `退款：订单 ${later}` })
    await expect(dialog.getByRole('region', { name: '退款的影响' })).toContainText('60 天 → 30 天')
    await dialog.getByLabel('输入订单号的最后 6 位以确认').pressSequentially(later.slice(-6))
    await dialog.getByRole('button', { name: '退款 ¥29.00' }).click()
    await expect(finance).toHaveURL(/\/refunds\/R/)
    await expect.poll(pressed).toEqual({ clicks: 3, keys: 0, characters: 6 })
    await expect.poll(() => refundsOf(later)).toEqual(['succeeded'])
    expect(await storedOrder(later)).toMatchObject({ status: 'refunded', granted_days: 0 })
    expect(await refundsOf(earlier)).toEqual([])
    expect(await storedOrder(earlier)).toMatchObject({ status: 'paid', granted_days: 30 })

    await expect.poll(() => openAbout('possible_double_payment', later)).toEqual([])
    await goWithin(finance, desk('?view=resolved'))
    const ended = finance.getByRole('row').filter({ hasText: '疑似重复付款' })
    await expect(ended).toContainText('自动恢复：订单已退款')
  })
})
