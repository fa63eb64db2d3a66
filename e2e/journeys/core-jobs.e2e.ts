import { randomUUID } from 'node:crypto'
import { countPresses } from '../support/count-presses.ts'
import { expect, test } from '../support/journey.ts'
import { listedOrders, ordersPath } from '../support/operator.ts'
import { plantOperator } from '../support/stored-operators.ts'
import { buyerOf } from '../support/stored-orders.ts'
import { world } from '../support/world.ts'

// What is done at the desk forty times a day, from the page where one stands, with a count of what it takes.

test('what happened with an order of the list takes one click', async ({ operator, phone }) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await operator.goto(ordersPath())
  const pressed = await countPresses(operator)
  await listedOrders(operator).filter({ hasText: out_trade_no }).click()
  const timeline = operator.getByRole('region', { name: '时间线' })
  await expect(timeline).toContainText('支付成功')
  await expect.poll(pressed).toEqual({ clicks: 1, keys: 0, characters: 0 })
})

test('seven days are given from the subscription with two clicks and what is written', async ({
  signedIn,
  phone,
}) => {
  const { userId } = await buyerOf((await phone.buysAndPays('monthly')).out_trade_no)
  const page = await signedIn('operator')
  await page.goto(`${world().consoleUrl}/subscriptions/${userId}`)
  const pressed = await countPresses(page)
  await page.getByRole('button', { name: '调整天数' }).click()
  const dialog = page.getByRole('dialog', { name: '调整订阅天数' })
  await dialog.getByLabel('天数', { exact: true }).pressSequentially('7')
  await dialog.getByLabel('原因').fill('设备返修')
  await dialog.getByRole('button', { name: '赠送 7 天' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('剩余 37 天')
  await expect.poll(pressed).toEqual({ clicks: 2, keys: 0, characters: 1 })
})

test('a colleague’s session is ended from the list of colleagues with two clicks', async ({
  operator,
  page,
}) => {
  const email = `leaves-${randomUUID().slice(0, 8)}@meridian.test`
  const { password } = await plantOperator({ email, role: 'viewer' })
  await page.goto(`${world().consoleUrl}/sign-in`)
  await page.getByLabel('邮箱').fill(email)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()

  await operator.goto(`${world().consoleUrl}/staff`)
  const pressed = await countPresses(operator)
  await operator.getByRole('link', { name: email }).click()
  await operator.getByRole('button', { name: /^结束来自/ }).click()
  await expect(operator.getByText('没有打开的会话。')).toBeVisible()
  await expect.poll(pressed).toEqual({ clicks: 2, keys: 0, characters: 0 })
})
