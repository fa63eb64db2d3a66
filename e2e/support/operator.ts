import type { Page } from '@playwright/test'
import type { OperatorName } from './start-world.ts'
import { world } from './world.ts'

/** Signs in as an operator does: with the form, from whatever page the console has sent them to. */
export async function signIn(page: Page, name: OperatorName, password = world().operators[name].password) {
  await page.goto(`${world().consoleUrl}/sign-in`)
  await page.getByLabel('邮箱').fill(world().operators[name].email)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

export const orderPath = (outTradeNo: string) => `${world().consoleUrl}/orders/${outTradeNo}`
export const ordersPath = (query = '') => `${world().consoleUrl}/orders${query}`

/** The order numbers that the list shows, from top to bottom. */
export const listedOrders = (page: Page) => page.getByRole('table', { name: '订单列表' }).getByRole('link')

/** A fact of the order page, by its name. */
export const fact = (page: Page, name: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd[1]')
