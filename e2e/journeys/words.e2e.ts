import type { Page } from '@playwright/test'
import { expectNoSidewaysScroll, expectNoViolations, narrow, wide } from '../support/accessible.ts'
import { dialogPages } from '../support/console-dialogs.ts'
import { consolePages, settle, show } from '../support/console-pages.ts'
import { slipFinder } from '../support/find-slips.ts'
import { furnishDialogs } from '../support/furnish-dialogs.ts'
import { expect, test } from '../support/journey.ts'
import { deep, type Look, looks, wear } from '../support/looks.ts'
import { opened } from '../support/open-dialog.ts'
import { readTexts } from '../support/read-texts.ts'
import { words } from '../support/words.ts'
import { world } from '../support/world.ts'

test.describe.configure({ mode: 'parallel', timeout: 600_000 })

/** Other faces of pages: what their tabs show, and what stands there when it is empty. */
const faces = [
  '/alerts?view=left',
  '/alerts?view=resolved',
  '/notifications?view=rejected',
  '/reconciliation?view=differences',
  '/diagnosis?view=json',
  '/shipping?state=failed',
].map((path) => ({ name: path, path }))

/** Shows the console in a language and a theme; collects texts that are no plain words of that language, and errors of pages. */
async function openReader(operator: Page, look: Look) {
  operator.setDefaultTimeout(30_000)
  await wear(operator, look)
  const slipsIn = await slipFinder(look.language)
  const found = new Set<string>()
  operator.on('pageerror', (error) => found.add(`${operator.url()}: ${error}`))
  const read = async (place: string, within: string) => {
    for (const slip of slipsIn(await readTexts(operator, within))) found.add(`${place}: ${slip}`)
  }
  return { found, read }
}

// Each language and each theme once; all four together where time is no matter.
for (const look of deep ? looks : looks.slice(0, 2)) {
  const { language, theme } = look

  test(`every page speaks plain words, is accessible and fits a phone, in ${language} and ${theme}`, async ({
    operator,
  }) => {
    await furnishDialogs()
    const { found, read } = await openReader(operator, look)
    for (const shown of [...consolePages, ...faces]) {
      await operator.setViewportSize(wide)
      await show(operator, world().consoleUrl, shown)
      await read(shown.name, 'body')
      await expectNoViolations(operator)
      await operator.setViewportSize(narrow)
      await expectNoSidewaysScroll(operator)
    }
    expect([...found]).toEqual([])
  })

  test(`every dialog speaks plain words, is accessible and fits a phone, in ${language} and ${theme}`, async ({
    operator,
  }) => {
    const desks = await furnishDialogs()
    const { found, read } = await openReader(operator, look)
    for (const { path, dialogs, clear } of dialogPages) {
      await show(operator, world().consoleUrl, { name: '', path: path(desks) })
      await read(path(desks), 'body')
      const scene = { page: operator, words: words[language], desks }
      for (const [name, open] of Object.entries(dialogs)) {
        await operator.setViewportSize(wide)
        await open(scene)
        const over = operator.locator(opened)
        await expect(over).toBeVisible()
        await settle(operator)
        await read(name, opened)
        await expectNoViolations(operator, opened)
        // A phone has no such lists and calendars: there, the browser brings its own.
        if (await operator.locator('dialog[open]').isVisible()) {
          await operator.setViewportSize(narrow)
          await expectNoSidewaysScroll(operator)
        }
        // What a field of it offers is closed first, and then the dialog.
        await expect(async () => {
          await operator.keyboard.press('Escape')
          await expect(over).toBeHidden({ timeout: 1_000 })
        }).toPass()
      }
      await clear?.(scene)
    }
    expect([...found]).toEqual([])
  })
}

test('a raw key, code, unit, value, number, time or schedule on a page is found', async ({ operator }) => {
  await show(operator, world().consoleUrl, { name: 'account', path: '/account' })
  const slipsIn = await slipFinder('zh-CN')
  const planted = [
    'orders.statuses.paid',
    'order_parked',
    'BANK_CARD',
    't_ms',
    'TRANSACTION.SUCCESS',
    'frequencyMax',
    'true',
    'null',
    '[]',
    '{}',
    '0.8195683361576652',
    '2026-11-20T14:30:00Z',
    '14:30 UTC',
    '*/5 * * * *',
    'Not a word of Chinese',
  ]
  const texts = await operator.evaluate((planted) => {
    for (const text of planted) {
      const slip = document.createElement('p')
      slip.textContent = text
      document.querySelector('main')?.append(slip)
    }
    const raw = document.createElement('code')
    raw.dataset['raw'] = ''
    raw.textContent = 'RAW_ON_PURPOSE'
    document.querySelector('main')?.append(raw)
    return planted
  }, planted)
  const found = slipsIn(await readTexts(operator, 'body'))
  expect(found.map((slip) => slip.slice(slip.indexOf(': ') + 2))).toEqual(texts)
})
