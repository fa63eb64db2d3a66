import type { Page } from '@playwright/test'
import type { Language } from './words.ts'
import { world } from './world.ts'

export type Look = { language: Language; theme: 'light' | 'dark' }

/** In which the console can be looked at. */
export const looks: readonly Look[] = [
  { language: 'zh-CN', theme: 'light' },
  { language: 'en', theme: 'dark' },
  { language: 'zh-CN', theme: 'dark' },
  { language: 'en', theme: 'light' },
]

/** Whether time is no matter: all is then looked at in every look, and otherwise once. */
export const deep = process.env['MERIDIAN_DEEP'] === '1'

/** As if the operator had chosen it; the next page is shown so. */
export async function wear(page: Page, { language, theme }: Look): Promise<void> {
  const url = world().consoleUrl
  await page.context().addCookies([
    { name: 'meridian.language', value: language, url },
    { name: 'meridian.theme', value: theme, url },
  ])
}
