import type { Page } from '@playwright/test'
import { untilAlive } from './until-alive.ts'

/** Begins a note by its key, once the page has the panel that listens to it. */
export async function beginNote(page: Page): Promise<void> {
  await page.getByRole('button', { name: '添加备注' }).waitFor()
  await untilAlive(page)
  await page.keyboard.press('n')
}
