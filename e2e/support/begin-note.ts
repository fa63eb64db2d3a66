import type { Page } from '@playwright/test'
import { untilAlive } from './until-alive.ts'

/** Presses the key of a panel, once the page has the button that does the same and listens to keys. */
async function pressOnceThere(page: Page, key: string, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).first().waitFor()
  await untilAlive(page)
  await page.keyboard.press(key)
}

/** Begins a note by its key. */
export const beginNote = (page: Page) => pressOnceThere(page, 'n', '添加备注')

/** Opens the search for a tag by its key. */
export const beginTag = (page: Page) => pressOnceThere(page, 't', '添加标签')
