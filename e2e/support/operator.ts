import type { Page } from '@playwright/test'
import { codeAt } from './authenticator.ts'
import { letCodesPass } from './stored-operators.ts'
import { world } from './world.ts'
import type { OperatorName } from './world-templates.ts'

/** What the operator's authenticator shows; as if they had not used it for a while. */
export async function codeOf(name: OperatorName): Promise<string> {
  const { email, authenticator } = world().operators[name]
  if (authenticator === null) throw new Error(`${name} has no authenticator`)
  await letCodesPass(email)
  return codeAt(authenticator)
}

/** Fills the sign-in as an operator does, on whatever page the console has shown it. */
export async function answerSignIn(
  page: Page,
  name: OperatorName,
  password = world().operators[name].password,
) {
  const operator = world().operators[name]
  await page.getByLabel('邮箱').fill(operator.email)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
  if (operator.authenticator === null || password !== operator.password) return
  await page.getByLabel('验证码').fill(await codeOf(name))
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

/** Signs in from the sign-in page: with a password, and with a code where the operator has an authenticator. */
export async function signIn(page: Page, name: OperatorName, password?: string) {
  await page.goto(`${world().consoleUrl}/sign-in`)
  await answerSignIn(page, name, password)
}

export const orderPath = (outTradeNo: string) => `${world().consoleUrl}/orders/${outTradeNo}`
export const ordersPath = (query = '') => `${world().consoleUrl}/orders${query}`

/** The order numbers that the list shows, from top to bottom. */
export const listedOrders = (page: Page) =>
  page.getByRole('table', { name: '订单列表' }).locator('a[href^="/orders/"]')

/** A fact of the order page, by its name. */
export const fact = (page: Page, name: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd[1]')
