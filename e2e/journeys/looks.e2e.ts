import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { world } from '../support/world.ts'

test('beside what belongs to somebody stands who, with their days, and the order it is about', async ({
  operator,
  phone,
}) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await operator.goto(`${world().consoleUrl}/notifications`)
  await operator.getByRole('row').filter({ hasText: out_trade_no }).getByRole('link').first().click()
  const customer = operator.getByRole('region', { name: '用户' })
  await expect(customer).toContainText('30 天')
  await expect(operator.getByRole('region', { name: '订单' })).toContainText('¥29.00 · 月度会员')
  const [facts, beside] = [
    await operator.getByRole('region', { name: '通知信息' }).boundingBox(),
    await customer.boundingBox(),
  ]
  expect(beside?.x).toBeGreaterThan((facts?.x ?? 0) + (facts?.width ?? 0))
  await operator.setViewportSize({ width: 1000, height: 800 })
  await expect.poll(async () => (await customer.boundingBox())?.x).toBe(facts === null ? 0 : 24)
  await customer.getByRole('link', { name: '查看订阅' }).click()
  await expect(operator).toHaveURL(/\/subscriptions\//)
})

test('what can be done with a row shows to who points at it or has it in focus, and keys reach it', async ({
  operator,
  phone,
}) => {
  const { out_trade_no } = (await phone.buys('monthly')).order
  await operator.goto(`${world().consoleUrl}/orders?q=${out_trade_no}`)
  const row = operator.getByRole('row').filter({ hasText: out_trade_no })
  const acts = row.locator('[data-row-acts]')
  await expect(acts).toHaveCSS('opacity', '0')
  await row.hover()
  await expect(acts).toHaveCSS('opacity', '1')
  await operator.mouse.move(0, 0)
  await expect(acts).toHaveCSS('opacity', '0')
  await row.getByRole('link').first().focus()
  await expect(acts).toHaveCSS('opacity', '1')
  const sync = row.getByRole('button', { name: '同步支付状态' })
  await expect(sync).toBeAttached()
  await operator.keyboard.press('Tab')
  await operator.keyboard.press('Tab')
  await expect(sync).toBeFocused()
  const asked = operator.waitForResponse((response) => response.url().includes('order.sync'))
  await operator.keyboard.press('Enter')
  expect((await asked).ok()).toBe(true)
  await row.getByRole('link', { name: '查看用户' }).press('Enter')
  await expect(operator).toHaveURL(/\/users\//)
})

test('rows of the audit log lead to what they are about, and rows of colleagues to the acts on their accounts', async ({
  operator,
  phone,
}) => {
  const { out_trade_no } = (await phone.buys('monthly')).order
  await operator.goto(`${world().consoleUrl}/orders/${out_trade_no}`)
  const asked = operator.waitForResponse((response) => response.url().includes('order.sync'))
  await operator.getByRole('button', { name: '同步支付状态' }).click()
  expect((await asked).ok()).toBe(true)
  await goWithin(operator, `${world().consoleUrl}/audit?q=${out_trade_no}`)
  const entry = operator.getByRole('row').filter({ hasText: out_trade_no })
  await entry.hover()
  await entry.getByRole('link', { name: '查看订单' }).click()
  await expect(operator).toHaveURL(new RegExp(`/orders/${out_trade_no}$`))

  await goWithin(operator, `${world().consoleUrl}/staff`)
  const { email } = world().operators.finance
  const colleague = operator.getByRole('row').filter({ hasText: email })
  await colleague.hover()
  await colleague.getByRole('button', { name: '更改角色' }).click()
  const dialog = operator.getByRole('dialog', { name: email })
  // The row behind the dialog is not pressed with it.
  await dialog.getByRole('heading').click()
  await expect(dialog).toBeVisible()
  await expect(operator).toHaveURL(/\/staff$/)
  await operator.keyboard.press('Escape')
  await colleague.getByRole('link', { name: '在审计日志中查看其操作' }).click()
  await expect(operator).toHaveURL(/\/audit\?operator=/)
})

test('the page of a thing is headed by what it is, its number short beside it, and pinned there on a phone too', async ({
  operator,
  phone,
}) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await operator.setViewportSize({ width: 390, height: 844 })
  await operator.goto(`${world().consoleUrl}/orders/${out_trade_no}`)
  const heading = operator.getByRole('heading', { level: 1 })
  await expect(heading).toContainText('¥29.00 · 月度会员')
  await expect(heading.getByTitle(out_trade_no)).toBeVisible()
  await operator.getByRole('button', { name: '固定此页' }).click()
  await operator.getByRole('button', { name: '取消固定' }).click()
  await expect(operator.getByRole('button', { name: '固定此页' })).toBeVisible()
})
