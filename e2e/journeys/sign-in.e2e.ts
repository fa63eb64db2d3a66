import { expect, test } from '../support/journey.ts'
import { answerSignIn, ordersPath, signIn } from '../support/operator.ts'

test('a wrong password is refused, and the console says so', async ({ page }) => {
  await signIn(page, 'viewer', 'not the password at all')
  await expect(page.getByRole('alert').filter({ hasText: '邮箱或密码不正确' })).toBeVisible()
  await expect(page).toHaveURL(/\/sign-in/)
  await page.goto(ordersPath())
  await expect(page.getByRole('heading', { name: '登录控制台' })).toBeVisible()
})

test('who is not signed in is sent to the sign-in and then back to the page asked for', async ({ page }) => {
  await page.goto(ordersPath('?status=paid'))
  await expect(page.getByRole('heading', { name: '登录控制台' })).toBeVisible()
  await answerSignIn(page, 'finance')
  await expect(page).toHaveURL(/\/orders\?status=paid/)
})

test('who signs out has to sign in again', async ({ page }) => {
  await signIn(page, 'viewer')
  await expect(page.getByRole('heading', { name: '总览', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: /的账号菜单$/ }).click()
  await page.getByText('退出登录').click()
  await expect(page.getByRole('heading', { name: '登录控制台' })).toBeVisible()
  await page.goto(ordersPath())
  await expect(page).toHaveURL(/\/sign-in/)
})
