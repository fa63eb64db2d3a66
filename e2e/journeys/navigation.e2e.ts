import type { Page } from '@playwright/test'
import { ask } from '../support/database.ts'
import { expect, test } from '../support/journey.ts'
import { untilAlive } from '../support/until-alive.ts'
import { world } from '../support/world.ts'

const at = (path: string) => `${world().consoleUrl}${path}`
const navigationOf = (page: Page) => page.getByRole('navigation', { name: '主导航' })
const headOf = (page: Page, group: string) => navigationOf(page).getByRole('button', { name: group })

/** How many pixels of the navigation, and of what lies below it, are out of sight. */
const hidden = (page: Page) =>
  navigationOf(page).evaluate((navigation) => {
    const side = navigation.closest('aside') ?? navigation
    return {
      scrolled: navigation.scrollHeight - navigation.clientHeight,
      below: Math.max(0, side.getBoundingClientRect().bottom - innerHeight),
      beside: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }
  })

for (const width of [1280, 1024])
  test(`the navigation fits a window of ${width} × 800 px, whichever group is open, with room for five entries`, async ({
    operator,
  }) => {
    await operator.setViewportSize({ width, height: 800 })
    await operator.goto(at('/dashboard'))
    for (const group of ['销售', '用户与设备', '资金', '系统']) {
      const head = headOf(operator, group)
      if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
      await expect(head).toHaveAttribute('aria-expanded', 'true')
      expect(await hidden(operator)).toEqual({ scrolled: 0, below: 0, beside: 0 })
      const heights = await navigationOf(operator).evaluate((navigation) => {
        const shown = [...navigation.querySelectorAll('a, button')].filter((entry) => entry.checkVisibility())
        const last = shown.at(-1)?.getBoundingClientRect()
        return { free: navigation.getBoundingClientRect().bottom - (last?.bottom ?? 0) }
      })
      expect(heights.free).toBeGreaterThanOrEqual(5 * 36)
    }
  })

test('one group is open: that of the page, or what was opened since', async ({ operator }) => {
  await operator.goto(at('/refunds'))
  await expect(headOf(operator, '资金')).toHaveAttribute('aria-expanded', 'true')
  await expect(navigationOf(operator).getByRole('link', { name: '退款' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await headOf(operator, '系统').click()
  await expect(headOf(operator, '资金')).toHaveAttribute('aria-expanded', 'false')
  await navigationOf(operator).getByRole('link', { name: '审计日志' }).click()
  await expect(operator).toHaveURL(/\/audit/)
  await expect(headOf(operator, '系统')).toHaveAttribute('aria-expanded', 'true')
  await operator.goBack()
  await expect(headOf(operator, '资金')).toHaveAttribute('aria-expanded', 'true')
})

test('the arrow keys walk through the navigation, open a group and close it', async ({ operator }) => {
  await operator.goto(at('/dashboard'))
  await navigationOf(operator).getByRole('link', { name: '总览' }).focus()
  await operator.keyboard.press('ArrowDown')
  await expect(navigationOf(operator).getByRole('link', { name: /^待办/ })).toBeFocused()
  await operator.keyboard.press('ArrowDown')
  await expect(headOf(operator, '销售')).toBeFocused()
  await operator.keyboard.press('End')
  await expect(headOf(operator, '系统')).toBeFocused()
  await operator.keyboard.press('ArrowRight')
  await expect(headOf(operator, '系统')).toHaveAttribute('aria-expanded', 'true')
  await operator.keyboard.press('ArrowDown')
  await expect(navigationOf(operator).getByRole('link', { name: '支付通知' })).toBeFocused()
  await operator.keyboard.press('ArrowLeft')
  await expect(headOf(operator, '系统')).toBeFocused()
  await expect(headOf(operator, '系统')).toHaveAttribute('aria-expanded', 'false')
  await operator.keyboard.press('Enter')
  await operator.keyboard.press('ArrowDown')
  await operator.keyboard.press('Enter')
  await expect(operator).toHaveURL(/\/notifications/)
})

test('folded to icons it stays so, and each group opens its pages beside it', async ({ operator }) => {
  await operator.goto(at('/orders'))
  await operator.getByRole('button', { name: '收起导航，只显示图标' }).click()
  await operator.reload()
  await untilAlive(operator)
  await expect(operator.getByRole('button', { name: '展开导航' })).toBeVisible()
  expect((await navigationOf(operator).boundingBox())?.width).toBeLessThanOrEqual(64)
  await headOf(operator, '资金').click()
  const pages = operator.getByRole('dialog', { name: '资金' })
  await expect(pages.getByRole('link', { name: '退款' })).toBeFocused()
  await operator.keyboard.press('ArrowDown')
  await operator.keyboard.press('Escape')
  await expect(headOf(operator, '资金')).toBeFocused()
  await operator.keyboard.press('Enter')
  await pages.getByRole('link', { name: '对账' }).click()
  await expect(operator).toHaveURL(/\/reconciliation/)
  await expect(pages).toBeHidden()
  await operator.getByRole('button', { name: '展开导航' }).click()
  await expect(headOf(operator, '资金')).toHaveAttribute('aria-expanded', 'true')
})

test('leads to no page that would say "no permission", and says who may open it', async ({ signedIn }) => {
  const operator = await signedIn('operator')
  await operator.goto(at('/settings'))
  const keys = navigationOf(operator).getByRole('button', { name: '密钥' })
  await expect(keys).toHaveAttribute('aria-disabled', 'true')
  await expect(keys).toHaveAccessibleDescription(/你的角色不能打开此页面，需要：所有者/)
  await keys.click({ force: true })
  await expect(operator).toHaveURL(/\/settings/)
})

test('counts open alerts and waiting approvals, on the group while it is closed, and so does the overview', async ({
  operator,
}) => {
  await ask(`INSERT INTO alerts (kind, subject) VALUES ('clock_skewed', 'counted') ON CONFLICT DO NOTHING`)
  await operator.goto(at('/dashboard'))
  const money = headOf(operator, '资金')
  await expect(money).toHaveAccessibleDescription(/项待处理$/)
  await money.click()
  await expect(money).toHaveAccessibleDescription('')
  const alerts = navigationOf(operator).getByRole('link', { name: '暂停订单与告警' })
  await expect(alerts).toHaveAccessibleDescription(/项待处理$/)
  await operator
    .getByRole('region', { name: '待办' })
    .getByRole('link', { name: /^查看全部/ })
    .click()
  await expect(operator).toHaveURL(/\/inbox/)
})
