import { randomUUID } from 'node:crypto'
import { formatFen } from '@meridian/contracts'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { fact } from '../support/operator.ts'
import { passTime } from '../support/pass-time.ts'
import { unlockPhone } from '../support/phone.ts'
import { plantFailedJob, plantReconciledDay, storedJob } from '../support/planted-desks.ts'
import { keptNotification, netWithin } from '../support/stored-orders.ts'
import { world } from '../support/world.ts'

const date = '2026-01-15'

/** The revenue day by day: what is pressed before the chart stands may move away under the pointer. */
async function tableOfDays(page: Page): Promise<Locator> {
  const table = page.getByRole('table', { name: '每日收入' })
  await expect(async () => {
    if (!(await table.isVisible())) await page.getByText('以表格查看').click()
    await expect(table).toBeVisible({ timeout: 1_000 })
  }).toPass()
  return table
}

test('finance resolves what is open and closes the day by typing it', async ({ signedIn, phone }) => {
  const order = await phone.buysAndPays('monthly')
  await plantReconciledDay(date, order.out_trade_no)
  const page = await signedIn('finance')
  await page.goto(`${world().consoleUrl}/reconciliation`)
  await page.getByRole('table', { name: '每日对账' }).getByRole('link', { name: date }).click()
  await expect(page.getByRole('heading', { name: date, level: 1 })).toBeVisible()
  const close = page.getByRole('button', { name: '关账' })
  await expect(close).toHaveAccessibleDescription('还有差异没有解决')

  await page.getByRole('button', { name: '认领' }).click()
  await expect(page.getByText('负责人：finance@meridian.test')).toBeVisible()
  await page.getByRole('button', { name: '解决' }).click()
  const resolving = page.getByRole('dialog', { name: '解决差异：仅我方有' })
  await resolving.getByLabel('解决说明').fill('已向平台核实，次日补记')
  await resolving.getByRole('button', { name: '解决' }).click()
  await expect(page.getByText('已向平台核实，次日补记')).toBeVisible()

  await close.click()
  const closing = page.getByRole('dialog', { name: `关闭 ${date} 的账` })
  const confirm = closing.getByRole('button', { name: `关闭 ${date} 的账` })
  await expect(confirm).toHaveAttribute('aria-disabled', 'true')
  await closing.getByLabel('输入账单日以确认').fill(date)
  await confirm.click()
  await expect(closing).toBeHidden()
  await expect(close).toHaveAccessibleDescription('这一天已经关账')
})

test('the overview shows what was paid today, to the fen', async ({ operator, phone }) => {
  await phone.buysAndPays('yearly')
  const expected = formatFen(await netWithin(1))
  await operator.goto(world().consoleUrl)
  await expect(operator.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
  await expect(fact(operator, '今天净收入')).toContainText(expected)
  const days = await tableOfDays(operator)
  await expect(days.getByRole('row').nth(1)).toContainText(expected)
})

test('a net is no link, and what it is made of leads to the list that adds up to it', async ({
  operator,
  phone,
}) => {
  await phone.buysAndPays('monthly')
  await operator.goto(world().consoleUrl)
  const net = fact(operator, '所选范围净收入')
  await expect(net.getByRole('link')).toHaveText([/^收款/, /^退款/, /笔付款$/])
  const gross = await net.getByRole('link').first().textContent()
  await net.getByRole('link').first().click()
  await expect(operator.getByRole('heading', { name: '订单', level: 1 })).toBeVisible()
  await expect(operator.getByText(`· ${gross} ·`)).toBeVisible()
  await operator.goBack()
  await net.getByRole('link', { name: /^退款/ }).click()
  await expect(operator.getByRole('heading', { name: '退款', level: 1 })).toBeVisible()
  await expect(operator).toHaveURL(/\/refunds\?succeeded_from=[\d-]+&succeeded_to=[\d-]+$/)
})

test('the overview counts who scanned, then bought, and may use what they bought', async ({
  operator,
  phone,
}) => {
  const steps = operator.getByRole('region', { name: '从扫描到订阅' }).getByRole('listitem')
  const counts = async () => {
    await operator.goto(world().consoleUrl)
    await expect(steps).toHaveCount(5)
    const texts = await steps.allTextContents()
    return texts.map((text) => Number(text.match(/\d+/)?.[0]))
  }
  const [scanned = 0, treated = 0, ordered = 0, paid = 0, active = 0] = await counts()
  await phone.scans()
  await phone.buysAndPays('monthly')
  expect(await counts()).toEqual([scanned + 1, treated, ordered + 1, paid + 1, active + 1])
  await steps.getByRole('link', { name: /^扫描/ }).click()
  await expect(operator.getByRole('heading', { name: '报告', level: 1 })).toBeVisible()
  await expect(operator).toHaveURL(/\/reports\?kind=scan&from=[\d-]+&to=[\d-]+$/)
})

test('the overview follows the days that are chosen, and its address keeps them', async ({
  signedIn,
  phone,
}) => {
  const order = await phone.buysAndPays('quarterly')
  await keptNotification(order.out_trade_no)
  await passTime({ days: 3 })
  const { out_trade_no } = await (await unlockPhone()).buysAndPays('monthly')
  await keptNotification(out_trade_no)
  const operator = await signedIn('owner')
  const [today, week] = [await netWithin(1), await netWithin(7)]
  expect(week).toBeGreaterThan(today)
  await operator.goto(world().consoleUrl)
  const choose = async (name: string) => {
    await operator.getByRole('button', { name: '日期范围' }).first().click()
    await operator.getByText(name, { exact: true }).click()
  }
  await choose('今天')
  await expect(fact(operator, '所选范围净收入')).toContainText(formatFen(today))
  await choose('近 7 天')
  await expect(fact(operator, '所选范围净收入')).toContainText(formatFen(week))
  await expect(operator).toHaveURL(/from=[\d-]{10}&to=[\d-]{10}$/)
  await operator.reload()
  await expect(fact(operator, '所选范围净收入')).toContainText(formatFen(week))
  const before = formatFen((await netWithin(14)) - week)
  await expect(
    operator.getByRole('img', { name: `净收入合计 ${formatFen(week)}，上期净收入合计 ${before}` }),
  ).toBeVisible()
  await expect((await tableOfDays(operator)).getByRole('row')).toHaveCount(8)
})

test('a job that failed is tried again at once by the owner, who also sees the clock and its workers', async ({
  operator,
}) => {
  const key = `sweep:${randomUUID()}`
  await plantFailedJob(key)
  await operator.goto(`${world().consoleUrl}/jobs`)
  await expect(operator.getByRole('table', { name: '定时任务' })).toContainText('每日对账')
  await expect(operator.getByText('没有工作进程：后台任务不会运行。')).toBeVisible()
  const row = operator.getByRole('table', { name: '出错的任务' }).getByRole('row').filter({ hasText: key })
  await expect(row).toContainText('the platform did not answer')
  await expect(row).toContainText('3 / 25')
  await row.getByRole('button', { name: '立即重试' }).click()
  await expect(row).toContainText('0 / 25')
  expect(await storedJob(key)).toEqual({ attempts: 0, due: true })
})

test('the cockpit of keys shows what verifies the payments, for how long still, and how far the clocks are apart', async ({
  operator,
  phone,
}) => {
  const order = await phone.buysAndPays('monthly')
  await keptNotification(order.out_trade_no)
  await operator.goto(`${world().consoleUrl}/keys`)
  const key = operator
    .getByRole('table', { name: '平台密钥' })
    .getByRole('row')
    .filter({ hasText: '验证支付通知与应答的签名' })
    .filter({ hasText: /最近一万条通知中 [\d,]+ 条/ })
  await expect(key.first()).toContainText(/平台证书|平台公钥/)
  await expect(key.first()).toContainText(/剩余 [\d,]+ 天|没有期限/)
  await expect(operator.getByText(/^平台(时钟比本机[快慢] \d+ 秒|与本机的时钟一致)；/)).toBeVisible()
  await expect(fact(operator, '通知解密密钥')).toHaveText('已配置 1 个')
  await expect(operator.getByText('商户证书序列号')).toBeVisible()
})
