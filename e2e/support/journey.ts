import { test as base, type Page } from '@playwright/test'
import { keepProven } from './database.ts'
import { signIn } from './operator.ts'
import { type Phone, unlockPhone } from './phone.ts'
import { openPhone, type PhoneScreen } from './phone-screen.ts'
import { platform } from './platform.ts'
import { world } from './world.ts'

type StorageState = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

type Actors = {
  /** The owner, signed in to the console, with the second factor shown just now. */
  operator: Page
  /** A phone without a screen. */
  phone: Phone
  phoneScreen: PhoneScreen
  /** Behaves again after each journey. */
  platform: typeof platform
}

/** Playwright's test with the actors of Meridian. */
export const test = base.extend<Actors, { ownerState: StorageState }>({
  ownerState: [
    async ({ browser }, use) => {
      const page = await browser.newPage({ locale: 'zh-CN' })
      await signIn(page, 'owner')
      await page.getByRole('heading', { name: '总览', level: 1 }).waitFor()
      const state = await page.context().storageState()
      await page.close()
      await use(state)
    },
    { scope: 'worker' },
  ],
  operator: async ({ browser, ownerState, contextOptions, viewport, locale }, use) => {
    const context = await browser.newContext({
      ...contextOptions,
      viewport,
      locale: locale ?? 'zh-CN',
      storageState: ownerState,
    })
    await keepProven(world().operators.owner.email)
    await use(await context.newPage())
    await context.close()
  },
  phone: async ({ browserName: _ }, use) => use(await unlockPhone()),
  phoneScreen: async ({ page }, use) => use(await openPhone(page)),
  platform: async ({ browserName: _ }, use) => {
    await use(platform)
    await platform.behaves()
  },
})

export { expect } from '@playwright/test'
