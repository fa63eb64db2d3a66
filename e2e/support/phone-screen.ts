import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { world } from './world.ts'

/** A phone with a screen, in the hands of somebody who has never bought before. */
export type PhoneScreen = {
  page: Page
  phone: Locator
  /** Chooses a plan and goes as far as the payment sheet. Answers the order's number. */
  chooses(plan: string): Promise<string>
  pays(): Promise<void>
}

export async function openPhone(page: Page): Promise<PhoneScreen> {
  const user = `测试 ${randomUUID().slice(0, 8)}`
  await page.addInitScript((name) => {
    if (localStorage.getItem('user') === null) localStorage.setItem('users', name)
  }, user)
  await page.goto(world().sandboxUrl)
  const phone = page.getByRole('main', { name: '手机上的小程序' })
  const sheet = phone.getByRole('dialog', { name: '确认支付' })
  return {
    page,
    phone,
    chooses: async (plan) => {
      await phone.getByRole('radio', { name: new RegExp(plan) }).check()
      await phone.getByRole('button', { name: /支付$/ }).click()
      await sheet.waitFor()
      return (await sheet.getByText(/^M[0-9A-Z]{26}$/).textContent()) ?? ''
    },
    pays: () => sheet.getByRole('button', { name: /^支付 ¥/ }).click(),
  }
}
