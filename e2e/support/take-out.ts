import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'

type Format = 'CSV 文件' | 'Excel 工作簿'

/** Asks for the list that is shown as a file. */
export async function choose(page: Page, format: Format) {
  await page.getByRole('button', { name: '导出', exact: true }).click()
  await page.getByRole('dialog', { name: '导出格式' }).getByRole('button', { name: format }).click()
}

/** Takes the list that is shown out as a file: its name and its bytes. */
export async function takeOut(page: Page, format: Format) {
  const [file] = await Promise.all([page.waitForEvent('download'), choose(page, format)])
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}
