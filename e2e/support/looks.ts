import { expect, type Page } from '@playwright/test'
import { expectNoSidewaysScroll, expectNoViolations, narrow, wide } from './accessible.ts'
import { deep } from './deep.ts'
import type { Language } from './words.ts'
import { world } from './world.ts'

export type Look = { language: Language; theme: 'light' | 'dark' }

/** In which the console can be looked at; the first two have each language and each theme once. */
const everyLook: readonly [Look, ...Look[]] = [
  { language: 'zh-CN', theme: 'light' },
  { language: 'en', theme: 'dark' },
  { language: 'zh-CN', theme: 'dark' },
  { language: 'en', theme: 'light' },
]

/** In which everything is looked at: each language and each theme once, and all four together where time is no matter. */
export const looks = deep ? everyLook : everyLook.slice(0, 2)

/**
 * The parts of a survey of the whole console, and the look in which each is seen: one of them each, by turns, and all of them
 * where time is no matter.
 */
export const inLooks = <Part>(parts: Record<string, Part>): { look: Look; name: string; part: Part }[] =>
  Object.entries(parts).flatMap(([name, part], index) =>
    (deep ? everyLook : [everyLook[index % 2] ?? everyLook[0]]).map((look) => ({ look, name, part })),
  )

/** As if the operator had chosen it; the next page is shown so. */
export async function wear(page: Page, { language, theme }: Look): Promise<void> {
  const url = world().consoleUrl
  await page.context().addCookies([
    { name: 'meridian.language', value: language, url },
    { name: 'meridian.theme', value: theme, url },
  ])
}

/** What is shown is accessible in this look, and fits a window and a phone. */
export async function expectFits(page: Page, { language, theme }: Look) {
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await expect(page.locator('html')).toHaveAttribute('data-scheme', theme)
  for (const size of [narrow, wide]) {
    await page.setViewportSize(size)
    await expectNoViolations(page)
    await expectNoSidewaysScroll(page)
  }
}
