import type { Route } from '@playwright/test'
import { ask } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { keepProven } from '../support/stored-operators.ts'
import { world } from '../support/world.ts'

const at = (path: string) => `${world().consoleUrl}${path}`

test('without a network the pressed tab stays unlit, and one is told why', async ({ operator, phone }) => {
  await phone.buys('monthly')
  await operator.goto(at('/orders'))
  const tabs = operator.getByRole('navigation', { name: '按状态筛选' })
  const lit = tabs.locator('a[aria-current]')
  await expect(lit).toHaveText(/^全部/)
  await operator.context().setOffline(true)
  await tabs.getByRole('link', { name: '已退款' }).click()
  await expect(operator.getByText('没有网络连接，无法加载此视图。').first()).toBeVisible()
  await expect(lit).toHaveText(/^全部/)
  await operator.context().setOffline(false)
  await tabs.getByRole('link', { name: '已退款' }).click()
  await expect(lit).toHaveText(/^已退款/)
})

test('the ground of a chosen row is not that of its badges', async ({ operator, phone }) => {
  const { out_trade_no } = await phone.buysAndPays('monthly')
  await operator.goto(at(`/orders?search=${out_trade_no}`))
  const row = operator.getByRole('row').filter({ hasText: out_trade_no })
  await row.getByRole('checkbox').check()
  const ground = await row
    .getByRole('cell')
    .nth(2)
    .evaluate((cell) => getComputedStyle(cell).backgroundColor)
  const badge = await row
    .getByText('已支付')
    .evaluate((element) => getComputedStyle(element.closest('[data-tone]') ?? element).backgroundColor)
  expect(badge).not.toBe(ground)
})

test('a primary button that may not be pressed yet looks so, light and dark', async ({ operator }) => {
  await ask(`INSERT INTO alerts (kind, subject) VALUES ('clock_skewed', 'dialog') ON CONFLICT DO NOTHING`)
  for (const scheme of ['light', 'dark'] as const) {
    await operator.emulateMedia({ colorScheme: scheme })
    await operator.goto(at('/alerts?view=alerts&kind=clock_skewed'))
    await operator.getByRole('row').filter({ hasText: 'dialog' }).getByRole('link').first().click()
    await operator.getByRole('button', { name: '解决' }).click()
    const dialog = operator.getByRole('dialog')
    const submit = dialog.getByRole('button', { name: '解决' })
    const ground = () => submit.evaluate((button) => getComputedStyle(button).backgroundColor)
    await expect(submit).toHaveCSS('border-style', 'dashed')
    const before = await ground()
    await dialog.getByLabel('解决说明').fill('时钟已校准')
    await expect(submit).not.toHaveCSS('border-style', 'dashed')
    // Its colour passes over gradually.
    await expect.poll(ground).not.toBe(before)
    await operator.keyboard.press('Escape')
  }
})

test('a button whose act is under way says that it takes no press, until it has ended', async ({
  operator,
}) => {
  await keepProven(world().operators.owner.email)
  const calls: Route[] = []
  await operator.route('**/operator.renewRecoveryCodes*', (call) => void calls.push(call))
  await operator.goto(at('/account'))
  const renew = operator.getByRole('button', { name: '更换恢复码' })
  await renew.click()
  await expect(renew).toBeDisabled()
  await expect(renew).toBeFocused()
  await operator.keyboard.press('Enter')
  await expect.poll(() => calls.length).toBe(1)
  await calls[0]?.continue()
  await expect(operator.getByRole('dialog').getByRole('listitem')).toHaveCount(10)
  await operator.getByRole('dialog').getByRole('button').last().click()
  await expect(renew).toBeEnabled()
  expect(calls).toHaveLength(1)
})

test('a menu that is opened before the page is alive shows what it holds', async ({ operator }) => {
  let wake = () => {}
  const opened = new Promise<void>((resolve) => {
    wake = resolve
  })
  await operator.route('**/_next/static/**/*.js', async (route) => {
    await opened
    await route.continue()
  })
  await operator.goto(`${world().consoleUrl}/account`, { waitUntil: 'commit' })
  await operator.getByRole('button', { name: /的账号菜单$/ }).click()
  wake()
  await expect(operator.getByText('退出登录')).toBeVisible()
})
