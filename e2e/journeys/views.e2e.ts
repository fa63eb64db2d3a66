import { expect, test } from '../support/journey.ts'
import { ordersPath, signIn } from '../support/operator.ts'
import { world } from '../support/world.ts'

test('filters are kept under a name, shared, renamed and taken away', async ({ operator, page }) => {
  await operator.goto(ordersPath('?status=paid'))
  const views = operator.getByRole('navigation', { name: '视图' })
  const dialog = operator.getByRole('dialog')
  await operator.getByRole('button', { name: '保存视图' }).click()
  await expect(dialog.getByLabel('名称')).toBeFocused()
  await operator.keyboard.type('已付款')
  await dialog.getByLabel(/^与所有操作员共享/).check()
  await dialog.getByRole('button', { name: '保存视图' }).click()
  const kept = views.getByRole('link', { name: /^已付款/ })
  await expect(kept).toHaveAttribute('aria-current', 'true')

  await views.getByRole('link', { name: '默认视图' }).click()
  await expect(operator).toHaveURL(ordersPath())
  await expect(kept).not.toHaveAttribute('aria-current', 'true')
  await kept.click()
  await expect(operator).toHaveURL(ordersPath('?status=paid'))
  const statuses = operator.getByRole('navigation', { name: '按状态筛选' })
  await expect(statuses.getByRole('link', { name: '已支付' })).toHaveAttribute('aria-current', 'true')

  await signIn(page, 'viewer')
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
  await page.goto(ordersPath('?status=paid'))
  await expect(page.getByRole('link', { name: '已付款 由 owner@meridian.test 共享' })).toBeVisible()
  await expect(page.getByRole('button', { name: '编辑视图' })).toBeHidden()

  await operator.getByRole('button', { name: '编辑视图' }).click()
  await dialog.getByLabel('名称').fill('今天要看的')
  await dialog.getByRole('button', { name: '编辑视图' }).click()
  await expect(views.getByRole('link', { name: /^今天要看的/ })).toHaveAttribute('aria-current', 'true')
  await operator.getByRole('button', { name: '删除视图' }).click()
  await dialog.getByRole('button', { name: '删除视图' }).click()
  await expect(views.getByRole('link')).toHaveCount(1)
})

test('a number of the overview leads to the list that counts the same', async ({ operator, phone }) => {
  await phone.buysAndPays('monthly')
  await operator.goto(`${world().consoleUrl}/dashboard`)
  const learned = operator.getByRole('region', { name: '付款的确认方式' })
  const row = learned.getByRole('link', { name: /^支付通知/ })
  const count = (await row.textContent())?.match(/\d+$/)?.[0] ?? 'none'
  await row.click()
  await expect(operator.getByRole('heading', { name: '订单', level: 1 })).toBeVisible()
  await expect(operator.getByText(`${count} 笔 · 收款`)).toBeVisible()
  await operator.getByRole('button', { name: '移除筛选：确认方式：支付通知' }).click()
  await expect(operator).toHaveURL(/\/orders\?paid_from=[\d-]+&paid_to=[\d-]+$/)
})
