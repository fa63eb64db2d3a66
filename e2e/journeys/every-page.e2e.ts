import type { Page } from '@playwright/test'
import { expectNoSidewaysScroll, expectNoViolations, narrow, wide } from '../support/accessible.ts'
import { everyFaceInParts } from '../support/console-faces.ts'
import { goOn, type Shown, show } from '../support/console-pages.ts'
import { ask } from '../support/database.ts'
import { slipFinder } from '../support/find-slips.ts'
import { furnishDialogs } from '../support/furnish-dialogs.ts'
import { furnishLongWords } from '../support/furnish-long-words.ts'
import { holdScripts } from '../support/hold-scripts.ts'
import { expect, test } from '../support/journey.ts'
import { inLooks } from '../support/looks.ts'
import { openReader } from '../support/open-reader.ts'
import { readTexts } from '../support/read-texts.ts'
import { withNames } from '../support/stored-operators.ts'
import { world } from '../support/world.ts'

test.describe.configure({ mode: 'parallel', timeout: 600_000 })

/** Goes to the page, from where the one before has led if that is its address. */
const showNext = (page: Page, shown: Shown) =>
  page.url() === `${world().consoleUrl}${shown.path}`
    ? goOn(page, shown)
    : show(page, world().consoleUrl, shown)

/** What is wrong with the page in wide windows: a second main button, more width than there is, or a table too wide. */
const faultsOf = async (page: Page): Promise<string[]> => [
  ...(await faultsOfWindow(page)),
  ...(await tooWideTables(page)),
]

const faultsOfWindow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const main = [...document.querySelectorAll('main button[data-look="primary"]')]
      .filter((button) => button.checkVisibility({ visibilityProperty: true }))
      .map(({ textContent }) => textContent)
    const excess = document.documentElement.scrollWidth - innerWidth
    return [
      ...(main.length > 1 ? [`the main buttons ${main.join(', ')}`] : []),
      ...(excess > 0 ? [`${excess} pixels too wide`] : []),
    ]
  })

/** What the page takes beside its list: the navigation, and the page's own edges. */
const besideList = 298
/** The narrowest lists that show all of some step of columns; the first is the narrowest table beside the navigation. */
const listWidths = [727, 840, 980, 1120, 1280, 1400]

/** Which tables are wider than their place, at each width that adds columns. */
async function tooWideTables(page: Page): Promise<string[]> {
  if ((await page.locator('main table').count()) === 0) return []
  const found: string[] = []
  for (const width of listWidths) {
    await page.setViewportSize({ width: width + besideList, height: wide.height })
    const over = await page.evaluate(() =>
      [...document.querySelectorAll('main table')].flatMap((table) => {
        const room = table.parentElement?.clientWidth ?? 0
        return table.clientWidth > room ? [table.clientWidth - room] : []
      }),
    )
    for (const pixels of over) found.push(`a table ${pixels} px beyond ${width}`)
  }
  return found
}

/** Something on every desk, an address and an act longer than any column, and a buyer whose name is long. */
async function furnish(named: boolean): Promise<void> {
  const { userId } = await furnishDialogs()
  await furnishLongWords()
  if (named)
    await ask(`UPDATE users SET nickname = 'Alexandra Wilhelmina of the North' WHERE id = $1`, [userId])
}

for (const { look, name, part: faces } of inLooks(everyFaceInParts)) {
  const { language, theme } = look
  // With names and without them, each of them once.
  const named = language === 'en'
  // Data that comes before the scripts, and data that comes when it comes.
  const held = theme === 'light'

  test(`every page (${name} part) goes on with what the server rendered, speaks plain words, is accessible, has one main button and fits any window, in ${language} and ${theme}`, async ({
    operator,
  }) => {
    await furnish(named)
    const { found, read } = await openReader(operator, look)
    if (held) await holdScripts(operator)
    const lookAtAll = async () => {
      // What one page read, the next one knows at once: each is opened where something was read before.
      await operator.goto(`${world().consoleUrl}/orders`)
      for (const shown of faces) {
        await operator.setViewportSize(wide)
        await showNext(operator, shown)
        await read(shown.name, 'body')
        await expectNoViolations(operator)
        for (const fault of await faultsOf(operator)) found.add(`${shown.name}: ${fault}`)
        await operator.setViewportSize(narrow)
        await expectNoSidewaysScroll(operator)
      }
    }
    await (named ? withNames(world().operators.owner.email, lookAtAll) : lookAtAll())
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
