import { expectNoSidewaysScroll, expectNoViolations, narrow, wide } from '../support/accessible.ts'
import { dialogPages } from '../support/console-dialogs.ts'
import { furnishDialogs } from '../support/furnish-dialogs.ts'
import { expect, test } from '../support/journey.ts'
import { deep, looks, wear } from '../support/looks.ts'
import { opened } from '../support/open-dialog.ts'
import { words } from '../support/words.ts'
import { world } from '../support/world.ts'

test.describe.configure({ mode: 'parallel', timeout: 600_000 })

for (const [turn, look] of looks.entries())
  test(`dialogs are accessible, fit a phone and have their words, in ${look.language} and ${look.theme}`, async ({
    operator,
  }) => {
    operator.setDefaultTimeout(30_000)
    const desks = await furnishDialogs()
    await wear(operator, look)
    // All pages in each look; or, for time's sake, each page in one of them.
    const pages = deep ? dialogPages : dialogPages.filter((_, place) => place % looks.length === turn)
    for (const { path, dialogs, clear } of pages) {
      await operator.goto(`${world().consoleUrl}${path(desks)}`)
      await operator.getByRole('heading', { level: 1 }).first().waitFor()
      const scene = { page: operator, words: words[look.language], desks }
      for (const [name, open] of Object.entries(dialogs))
        await test.step(`${name} (${look.language}, ${look.theme})`, async () => {
          await operator.setViewportSize(wide)
          await open(scene)
          const over = operator.locator(opened)
          await expect(over).toBeVisible()
          await expectNoViolations(operator, opened)
          // A phone has no such lists and calendars: there, the browser brings its own.
          if (await operator.locator('dialog[open]').isVisible()) {
            await operator.setViewportSize(narrow)
            await expectNoSidewaysScroll(operator)
          }
          await operator.keyboard.press('Escape')
          await expect(over).toBeHidden()
        })
      await clear?.(scene)
    }
  })
