import type { Page } from '@playwright/test'
import { expect, test } from '../support/journey.ts'
import { ordersPath } from '../support/operator.ts'

const pageColour = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

test('an operator reads the console in English, and it stays so', async ({ operator }) => {
  await operator.goto(ordersPath())
  await operator.getByRole('button', { name: /^语言/ }).click()
  await operator.getByRole('button', { name: 'English' }).click()
  await expect(operator.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible()
  await expect(operator.locator('html')).toHaveAttribute('lang', 'en')
  await operator.reload()
  await expect(operator.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible()
})

test('an operator works in the dark, and it stays so; what is printed is black on white', async ({
  operator,
}) => {
  await operator.goto(ordersPath())
  const light = await pageColour(operator)
  await operator.getByRole('button', { name: /^外观/ }).click()
  await operator.getByRole('button', { name: '深色' }).click()
  await expect.poll(() => pageColour(operator)).not.toBe(light)
  const dark = await pageColour(operator)
  await operator.reload()
  expect(await pageColour(operator)).toBe(dark)

  await operator.emulateMedia({ media: 'print' })
  expect(await pageColour(operator)).toBe('rgb(255, 255, 255)')
  await expect(operator.getByRole('navigation', { name: '主导航' })).toBeHidden()
})

test('the phone speaks English too', async ({ phoneScreen }) => {
  await phoneScreen.page.getByRole('button', { name: 'English' }).click()
  await expect(phoneScreen.page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
  await phoneScreen.page.reload()
  await expect(phoneScreen.page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible()
})
