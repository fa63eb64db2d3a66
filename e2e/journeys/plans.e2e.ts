import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { openPhone } from '../support/phone-screen.ts'
import { world } from '../support/world.ts'

const plansPath = () => `${world().consoleUrl}/plans`
const dialog = (page: Page) => page.getByRole('dialog')

test('a new plan and a new price are what the phone sees, and the price history says who changed it', async ({
  operator,
  browser,
  contextOptions,
}) => {
  const code = `trip-${randomUUID().slice(0, 8)}`
  await operator.goto(plansPath())
  await operator.getByRole('button', { name: '新建套餐' }).click()
  await dialog(operator).getByLabel('代码').fill(code)
  await dialog(operator).getByLabel('名称', { exact: true }).fill('旅行会员')
  await dialog(operator).getByLabel('时长（天）').fill('14')
  await dialog(operator).getByLabel('在小程序里出售').check()
  await dialog(operator).getByRole('button', { name: '创建旅行会员' }).click()
  await expect(dialog(operator).getByText('请填写 0.01 到 1,000,000 元之间的金额').first()).toBeVisible()
  await dialog(operator).getByLabel('价格（元）', { exact: true }).fill('19.90')
  await dialog(operator).getByRole('button', { name: '创建旅行会员' }).click()

  await operator.getByRole('link', { name: '旅行会员' }).click()
  await expect(operator.getByRole('heading', { name: '旅行会员', level: 1 })).toBeVisible()
  await operator.getByRole('button', { name: '改价' }).click()
  await dialog(operator).getByLabel('价格（元）', { exact: true }).fill('15')
  await dialog(operator).getByLabel('划线价（元）').fill('19.90')
  const preview = dialog(operator).getByRole('table', { name: '价格变化' })
  await expect(preview.getByRole('row', { name: /^价格（元）/ })).toContainText('¥19.90')
  await expect(preview.getByRole('row', { name: /^价格（元）/ })).toContainText('¥15.00')
  await expect(dialog(operator).getByText('请再次输入（¥15.00）').first()).toBeVisible()
  await expect(dialog(operator).getByRole('button', { name: '改为 ¥15.00' })).toBeDisabled()
  await dialog(operator).getByLabel('再次输入新价格').fill('15')
  await dialog(operator).getByRole('button', { name: '改为 ¥15.00' }).click()
  const history = operator.getByRole('table', { name: '价格记录' })
  await expect(history).toContainText(world().operators.owner.email)
  await expect(history).toContainText('¥15.00')

  const phoneContext = await browser.newContext({ ...contextOptions, locale: 'zh-CN' })
  const { phone } = await openPhone(await phoneContext.newPage())
  await expect(phone.getByRole('radio', { name: /旅行会员/ })).toBeVisible()
  await expect(phone.getByText('15.00').first()).toBeVisible()
  await phoneContext.close()

  await operator.getByRole('button', { name: '修改套餐' }).click()
  await dialog(operator).getByLabel('在小程序里出售').uncheck()
  await dialog(operator).getByLabel('时长（天）').fill('16')
  await expect(dialog(operator).getByRole('button', { name: '保存旅行会员' })).toBeDisabled()
  await dialog(operator).getByLabel('再次输入天数').fill('16')
  await dialog(operator).getByRole('button', { name: '保存旅行会员' }).click()
  await expect(operator.getByText('已下架').first()).toBeVisible()
  const { plans }: { plans: { code: string }[] } = await (
    await fetch(`${world().apiUrl}/api/v1/subscription/plans`)
  ).json()
  expect(plans.map((plan) => plan.code)).not.toContain(code)
})

test('a plan is called in the language of whoever reads: console, mini-program and what was sold', async ({
  operator,
  phone,
}) => {
  const { out_trade_no } = await phone.buysAndPays('yearly')
  await operator.goto(`${plansPath()}/yearly`)
  await operator.getByRole('button', { name: '修改套餐' }).click()
  await dialog(operator).getByLabel('英文名称').fill('One year')
  await dialog(operator).getByLabel('英文说明').fill('')
  await dialog(operator).getByRole('button', { name: '保存年度会员' }).click()
  await expect(operator.getByText('One year')).toBeVisible()

  const url = world().consoleUrl
  await operator.context().addCookies([{ name: 'meridian.language', value: 'en', url }])
  await operator.goto(plansPath())
  await expect(operator.getByRole('link', { name: 'One year' })).toBeVisible()
  await goWithin(operator, `${url}/orders?q=${out_trade_no}`)
  await expect(operator.getByRole('row').filter({ hasText: 'One year' })).toHaveCount(1)
  await goWithin(operator, `${url}/orders/${out_trade_no}`)
  await expect(operator.getByText('One year (年度会员)').first()).toBeVisible()
  await operator.keyboard.press('ControlOrMeta+k')
  await operator.getByRole('combobox').fill(out_trade_no)
  const hit = operator.getByRole('option').filter({ hasText: 'One year' })
  await expect(hit).toHaveCount(1)
  await expect(hit).not.toContainText('年度会员')
  await goWithin(operator, `${url}/orders/${out_trade_no}/receipt`)
  await expect(operator.getByRole('article')).toContainText('One year')
  await goWithin(operator, `${url}/orders/${out_trade_no}/receipt?lang=zh`)
  await expect(operator.getByRole('article')).toContainText('年度会员')
  const answer = await fetch(`${world().apiUrl}/api/v1/subscription/plans`, {
    headers: { 'accept-language': 'en' },
  })
  const { plans }: { plans: { code: string; name: string; description: string }[] } = await answer.json()
  expect(plans.find(({ code }) => code === 'yearly')).toMatchObject({
    name: 'One year',
    description: '365 天全部功能',
  })
})

test('a setting is changed after its difference was shown, and given its old value back from its history, by owners only', async ({
  operator,
  signedIn,
}) => {
  await operator.goto(`${world().consoleUrl}/settings`)
  const setting = operator.getByRole('listitem', { name: '客服联系方式' })
  await setting.getByRole('button', { name: '修改', exact: true }).click()
  await dialog(operator).getByLabel('新的值').fill('400-800-1234')
  await expect(dialog(operator).getByRole('table', { name: '将要发生的变化' })).toContainText('400-800-1234')
  await dialog(operator).getByRole('button', { name: '保存“客服联系方式”' }).click()
  await expect(setting.getByText('400-800-1234')).toBeVisible()

  await setting.getByRole('button', { name: '“客服联系方式”的修改记录' }).click()
  const history = setting.getByRole('table')
  await expect(history).toContainText(world().operators.owner.email)
  const finance = await signedIn('finance')
  await finance.goto(`${world().consoleUrl}/settings`)
  await finance.getByRole('button', { name: '“客服联系方式”的修改记录' }).click()
  const refused = finance.getByRole('button', { name: /^恢复第/ }).first()
  await expect(refused).toHaveAttribute('aria-disabled', 'true')
  await expect(refused).toHaveAccessibleDescription('你的角色（财务）不能修改设置，需要：所有者')
  await history
    .getByRole('button', { name: /^恢复第/ })
    .first()
    .click()
  await dialog(operator).getByRole('button', { name: '保存“客服联系方式”' }).click()
  await expect(setting.locator('strong').first()).toHaveText('无')

  await operator
    .getByRole('listitem', { name: '订单支付时限' })
    .getByRole('button', { name: '修改', exact: true })
    .click()
  await dialog(operator).getByLabel('新的值').fill('121')
  const save = dialog(operator).getByRole('button', { name: '保存“订单支付时限”' })
  await expect(save).toHaveAttribute('aria-disabled', 'true')
  await operator.keyboard.press('Escape')
  await expect(dialog(operator)).toHaveCount(0)
})
