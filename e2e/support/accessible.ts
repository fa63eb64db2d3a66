import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axe from 'axe-core'
import type { RunOptions } from 'axe-core'
import { untranslated } from './words.ts'

declare global {
  interface Window {
    axe: typeof axe
  }
}

const options = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
  // Style sheets and media are fetched for two rules only: one is experimental and not run, one is about sound, and there is none.
  preload: false,
} satisfies RunOptions

export const wide = { width: 1280, height: 860 }
export const narrow = { width: 390, height: 844 }

/** Colours half-way between two themes, or two states, are nobody's choice: waits for two frames in which nothing moves. */
async function untilSettled(page: Page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn))
    const moving = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState !== 'finished' && effect?.getComputedTiming().endTime !== Infinity,
        )
    for (let still = 0; still < 2; still += 1) {
      const ending = moving()
      if (ending.length > 0) still = -1
      await Promise.allSettled(ending.map(({ finished }) => finished))
      await frame()
    }
  })
}

/** Turns the machine's colours; the page has followed when this comes back. */
export async function turn(page: Page, colorScheme: 'dark' | 'light') {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator(`html[data-scheme="${colorScheme}"], html:not([data-scheme])`)).toBeAttached()
}

/** Minified: 0.6 MB go to each page that is looked at, where the package's own `source` has 1.3. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Brought into a page once, however often it is looked at: reading axe takes longer than the look. */
async function bringAxe(page: Page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
}

/** Nothing of WCAG 2.2 A and AA is violated, and everything has words: on the page, or in what is open over it. */
export async function expectNoViolations(page: Page, within = 'html') {
  await untilSettled(page)
  await bringAxe(page)
  const found = await page.evaluate(
    async ({ within, options }) => {
      const { violations } = await window.axe.run(within, options)
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => ({ id, html, failureSummary })),
      )
    },
    { within, options },
  )
  expect.soft(found, page.url()).toEqual([])
  expect.soft(await wordsOn(page, within), page.url()).not.toMatch(untranslated)
}

/**
 * What is read there in our words: nothing that is shown as somebody else wrote it. Options with a label are read by it,
 * whatever else they hold, and it is shown beside them.
 */
async function wordsOn(page: Page, within: string): Promise<string> {
  const place = page.locator(within)
  const held = await place.locator('[role="option"][aria-label], [data-raw]').allInnerTexts()
  const shown = await place.allInnerTexts()
  return held.reduce((words, code) => words.replace(code, ''), shown.join('\n'))
}

export async function expectNoSidewaysScroll(page: Page) {
  const { whole, shown, outside } = await page.evaluate(() => {
    const { scrollWidth: whole, clientWidth: shown } = document.documentElement
    const outside = [...document.querySelectorAll('body *')]
      .filter((element) => whole > shown && element.getBoundingClientRect().right > shown)
      .map((element) => element.outerHTML.slice(0, 120))
    return { whole, shown, outside: outside.slice(0, 5) }
  })
  expect(whole, `${page.url()} reaches beyond the window: ${outside.join(' ')}`).toBeLessThanOrEqual(shown)
}
