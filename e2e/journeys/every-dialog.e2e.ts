import { expectNoSidewaysScroll, expectNoViolations, narrow, wide } from '../support/accessible.ts'
import { dialogPagesInParts } from '../support/console-dialogs.ts'
import { settle, show } from '../support/console-pages.ts'
import { furnishDialogs } from '../support/furnish-dialogs.ts'
import { goWithin } from '../support/go-within.ts'
import { expect, test } from '../support/journey.ts'
import { inLooks } from '../support/looks.ts'
import { opened } from '../support/open-dialog.ts'
import { openReader } from '../support/open-reader.ts'
import { words } from '../support/words.ts'
import { world } from '../support/world.ts'

test.describe.configure({ mode: 'parallel', timeout: 600_000 })

for (const { look, name: partName, part: pages } of inLooks(dialogPagesInParts)) {
  const { language, theme } = look

  test(`every dialog (${partName} part) speaks plain words, is accessible and fits a phone, in ${language} and ${theme}`, async ({
    operator,
  }) => {
    const desks = await furnishDialogs()
    const { found, read } = await openReader(operator, look)
    await show(operator, world().consoleUrl, { name: '', path: '/account' })
    for (const { path, dialogs, clear } of pages) {
      await goWithin(operator, path(desks))
      await settle(operator)
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
