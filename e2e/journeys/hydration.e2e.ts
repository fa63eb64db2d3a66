import type { Page } from '@playwright/test'
import { consolePages, show } from '../support/console-pages.ts'
import { furnishDialogs } from '../support/furnish-dialogs.ts'
import { expect, test } from '../support/journey.ts'
import { world } from '../support/world.ts'

test.describe.configure({ timeout: 300_000 })

/** Holds the scripts of each page back until all of its document is there, with the data that the server read for it. */
async function holdScripts(page: Page): Promise<void> {
  let arrived = Promise.resolve()
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) arrived = response.finished().then(() => {})
  })
  await page.route('**/_next/static/**/*.js', async (route) => {
    await arrived
    await route.continue()
  })
}

test('the browser goes on with what the server rendered, on every page, also where its data came before its scripts', async ({
  operator,
}) => {
  await furnishDialogs()
  const found: string[] = []
  operator.on('pageerror', (error) => found.push(`${operator.url()}: ${error}`))
  await holdScripts(operator)
  // What one page read, the next one knows at once: each is opened where something was read before.
  await operator.goto(`${world().consoleUrl}/orders`)
  for (const shown of consolePages) await show(operator, world().consoleUrl, shown)
  expect(found).toEqual([])
})
