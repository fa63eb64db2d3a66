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
  /** Closes the payment sheet, and waits until the phone has asked what became of it: a sooner tap ends the order. */
  cancels(): Promise<void>
  /** Buys a plan as its days show it, and comes back from the page that says so. */
  buys(plan: string): Promise<string>
  /** Lets days pass by the clock beside the phone. */
  waits(days: number): Promise<void>
  /** Puts another phone, or another WeChat, in place of this one. */
  becomes(what: 'iPhone' | '旧版微信'): Promise<void>
}

/** Of every channel: WeChat Pay's, that of virtual payment, Apple's. */
const sheets = /^(?:确认支付|微信虚拟支付|App Store)$/

export async function openPhone(page: Page): Promise<PhoneScreen> {
  const user = `测试 ${randomUUID().slice(0, 8)}`
  await page.addInitScript((name) => {
    if (localStorage.getItem('user') === null) localStorage.setItem('users', name)
  }, user)
  await page.goto(world().sandboxUrl)
  return holdPhone(page)
}

/** The phone of a page that is open already. */
export function holdPhone(page: Page): PhoneScreen {
  const phone = page.getByRole('main', { name: '手机上的小程序' })
  const sheet = phone.getByRole('dialog', { name: sheets })
  const chooses = async (plan: string) => {
    await phone.getByRole('radio', { name: new RegExp(plan) }).check()
    await phone.getByRole('button', { name: /支付$/ }).click()
    await sheet.waitFor()
    return (await sheet.getByText(/^M[0-9A-Z]{26}$/).textContent()) ?? ''
  }
  const pays = () => sheet.getByRole('button', { name: /支付 ¥/ }).click()
  return {
    page,
    phone,
    chooses,
    pays,
    cancels: async () => {
      await sheet.getByRole('button', { name: '取消支付' }).click()
      await phone.getByRole('alert').filter({ hasText: '已取消支付，可稍后再付' }).waitFor()
    },
    buys: async (plan) => {
      const outTradeNo = await chooses(plan)
      await pays()
      await phone.getByRole('heading', { name: '支付成功' }).waitFor()
      await phone.getByRole('button', { name: '完成' }).click()
      return outTradeNo
    },
    waits: async (days) => {
      await page.getByLabel('快进').fill(`${days}`)
      await page.getByRole('button', { name: '前进' }).click()
      await page.getByText(`已前进 ${days} 天`).waitFor()
    },
    becomes: async (what) => {
      const device = page.getByRole('region', { name: '这部手机' })
      const choice = device.getByRole(what === 'iPhone' ? 'radio' : 'checkbox', { name: what })
      // It begins anew as the other one.
      await Promise.all([page.waitForEvent('load'), choice.click()])
    },
  }
}
