import type { Locator, Page } from '@playwright/test'

/** More than any page has to tab through. */
const most = 300

const hasFocus = (wanted: Locator) => wanted.evaluate((element) => element === document.activeElement)

/** Tabs until the wanted element has the focus, as somebody without a mouse does; answers how many keys it took. */
export async function tabTo(page: Page, wanted: Locator): Promise<number> {
  for (let keys = 1; keys <= most; keys += 1) {
    await page.keyboard.press('Tab')
    if (await hasFocus(wanted)) return keys
  }
  throw new Error(`${wanted} is not reached with ${most} tabs`)
}
