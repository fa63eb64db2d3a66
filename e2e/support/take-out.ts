import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'

/** Takes the list that is shown out as a file: its name and its bytes. */
export async function takeOut(page: Page, format: 'CSV 文件' | 'Excel 工作簿') {
  await page.getByRole('button', { name: '导出', exact: true }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog', { name: '导出格式' }).getByRole('button', { name: format }).click(),
  ])
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}
