import { expect, type Locator, type Page } from '@playwright/test'

/** More than any page has to tab through. */
const most = 300

/** Whether the keys that are pressed go to it. */
export const hasFocus = (wanted: Locator) => wanted.evaluate((element) => element === document.activeElement)

/** Tabs until the wanted element has the focus, as somebody without a mouse does; answers how many keys it took. */
export async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<number> {
  for (let keys = 1; keys <= most; keys += 1) {
    await page.keyboard.press(key)
    if (await hasFocus(wanted)) return keys
  }
  throw new Error(`${wanted} is not reached with ${most} tabs`)
}

/** Something has the focus, in sight and with the ring that shows it: whoever has no mouse knows where they are. */
export async function expectFocusSeen(page: Page): Promise<void> {
  const standing = () =>
    page.evaluate(() => {
      const here = document.activeElement
      if (!here || here === document.body) return 'lost'
      const { top, bottom, width } = here.getBoundingClientRect()
      if (width === 0 || bottom <= 0 || top >= innerHeight) return 'out of sight'
      return here.matches(':focus-visible') && getComputedStyle(here).outlineStyle === 'solid'
        ? 'seen'
        : 'unmarked'
    })
  await expect.poll(standing).toBe('seen')
}
