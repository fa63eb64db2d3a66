import { expectNoSidewaysScroll, expectNoViolations, narrow, wide } from '../support/accessible.ts'
import { dialogPages, opened } from '../support/console-dialogs.ts'
import { furnishDialogs } from '../support/furnish-dialogs.ts'
import { expect, test } from '../support/journey.ts'
import { deep, looks, wear } from '../support/looks.ts'
import { words } from '../support/words.ts'
import { world } from '../support/world.ts'

/** Every page in each of these looks, one look after the other; or, for time's sake, every other page in one of them. */
const pages = deep ? dialogPages : dialogPages.filter((_, turn) => turn % 2 === 0)
const rounds = deep
  ? looks.map((look) => ({ worn: `${look.language} and ${look.theme}`, worns: [look] }))
  : [{ worn: 'one look', worns: looks }]

for (const { worn, worns } of rounds)
  test(`every dialog is accessible, fits a phone and has its words, in ${worn}`, async ({ operator }) => {
    test.setTimeout(600_000)
    operator.setDefaultTimeout(30_000)
    const desks = await furnishDialogs()
    for (const [place, look] of worns.entries()) {
      await wear(operator, look)
      for (const { path, dialogs, clear } of pages.filter((_, turn) => turn % worns.length === place)) {
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
    }
  })
