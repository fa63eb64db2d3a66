import type { Page } from '@playwright/test'

/** Holds the scripts of each page back until all of its document is there, with the data that the server read for it. */
export async function holdScripts(page: Page): Promise<void> {
  let arrived = Promise.resolve()
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) arrived = response.finished().then(() => {})
  })
  await page.route('**/_next/static/**/*.js', async (route) => {
    await arrived
    await route.continue()
  })
}
