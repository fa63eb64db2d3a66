import { formatFen } from '@meridian/contracts'
import { paidToday, plantReconciledDay } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { fact, signIn } from '../support/operator.ts'
import { world } from '../support/world.ts'

const date = '2026-01-15'
const dayPath = () => `${world().consoleUrl}/reconciliation/${date}`

test('finance resolves what is open and closes the day by typing it; an operator may only look', async ({
  page,
  phone,
}) => {
  const order = await phone.buysAndPays('monthly')
  await plantReconciledDay(date, order.out_trade_no)
  await signIn(page, 'finance')
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
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

  await page.context().clearCookies()
  await signIn(page, 'operator')
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
  await page.goto(dayPath())
  await expect(page.getByRole('button', { name: '关账' })).toHaveAccessibleDescription(/运营.*不能关账/)
  await page.goto(`${world().consoleUrl}/jobs`)
  await expect(page.getByText('没有权限查看后台任务')).toBeVisible()
})

test('the overview shows what was paid today, to the fen, and owners see queue and keys', async ({
  operator,
  phone,
}) => {
  await phone.buysAndPays('yearly')
  const expected = formatFen(await paidToday())
  await operator.goto(world().consoleUrl)
  await expect(operator.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
  await expect(fact(operator, '今天净收入')).toContainText(expected)
  await operator.getByText('以表格查看').click()
  await expect(operator.getByRole('table', { name: '每日收入' }).getByRole('row').nth(1)).toContainText(
    expected,
  )

  await operator.goto(`${world().consoleUrl}/jobs`)
  await expect(operator.getByRole('table', { name: '定时任务' })).toContainText('每日对账')
  await operator.goto(`${world().consoleUrl}/keys`)
  await expect(operator.getByRole('table', { name: '平台密钥' })).toContainText('验证支付通知与应答的签名')
  await operator.goto(`${world().consoleUrl}/shipping`)
  await expect(operator.getByText('没有等待上传的订单')).toBeVisible()
})
