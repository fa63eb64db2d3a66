import { expect, type Page } from '@playwright/test'
import { countPresses, type Presses } from './count-presses.ts'

/** The search over everything. */
export const palette = (page: Page) => page.getByRole('dialog', { name: '查找任何内容' })

/** What the search has found. */
export const hits = (page: Page) => palette(page).getByRole('group', { name: '找到' }).getByRole('option')

/** Somebody stands on a page whose keys work already and opens the search; answers what is pressed from there on. */
export async function searchFrom(page: Page, address: string): Promise<() => Presses> {
  await page.goto(address)
  const field = palette(page).getByRole('combobox')
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(field).toBeFocused({ timeout: 500 })
  }).toPass()
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  const pressed = await countPresses(page)
  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  return pressed
}
