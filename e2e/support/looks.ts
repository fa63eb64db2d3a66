import { expect, type Page } from '@playwright/test'
import { expectNoSidewaysScroll, expectNoViolations, narrow, wide } from './accessible.ts'
import { deep } from './deep.ts'
import type { Language } from './words.ts'
import { world } from './world.ts'

export type Look = { language: Language; theme: 'light' | 'dark' }

/** Every language in every theme; the first two, which are those of the usual run, have each of them once. */
const everyLook: readonly Look[] = [
  { language: 'zh-CN', theme: 'light' },
  { language: 'en', theme: 'dark' },
  { language: 'zh-CN', theme: 'dark' },
  { language: 'en', theme: 'light' },
]

/**
 * The looks of a survey, by its number among several: in the usual run even ones have the first look and odd ones the second, in
 * the deep run each has all four.
 */
export const looksOf = (place: number): readonly Look[] =>
  deep ? everyLook : everyLook.slice(place % 2, (place % 2) + 1)

/** Each part of a survey with each of its looks. */
export const inLooks = <Part>(parts: Record<string, Part>): { look: Look; name: string; part: Part }[] =>
  Object.entries(parts).flatMap(([name, part], place) => looksOf(place).map((look) => ({ look, name, part })))

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
