import type { Locator, Page } from '@playwright/test'
import type { DialogDesks } from './furnish-dialogs.ts'
import { saying, type Words } from './words.ts'

/** Who looks, in which language, at what. */
type Scene = { page: Page; words: Words; desks: DialogDesks }
export type Opens = (scene: Scene) => Promise<unknown>

/** A page and what opens over it. What is open is closed by Escape before the next is opened. */
export type DialogPage = {
  path: (desks: DialogDesks) => string
  dialogs: Record<string, Opens>
  /** Takes away in the end what others must not find there. */
  clear?: Opens
}

/** Whatever opens over a page. */
export const opened = 'dialog[open], :popover-open:not([role="tooltip"])'

export const dialogOf = (page: Page) => page.getByRole('dialog')

/** Presses once the button takes a press: what it began before may still be under way, and it says so by aria-disabled. */
export const press = (within: Page | Locator, label: string) =>
  within
    .getByRole('button', { name: saying(label) })
    .first()
    .click()

export const pressing =
  (label: (words: Words) => string): Opens =>
  ({ page, words }) =>
    press(page, label(words))

/** Opened by a button whose name also says what is chosen. */
export const pressingChoice =
  (label: (words: Words) => string): Opens =>
  ({ page, words }) =>
    press(page, `${label(words)}: {chosen}`)

export const choosing =
  (label: (words: Words) => string): Opens =>
  ({ page, words }) =>
    page.getByRole('combobox', { name: label(words) }).click()

/** Does what must be done before the dialog can be opened: an act that asks why. */
export async function actBecause({ page, words }: Scene, label: string) {
  await press(page, label)
  await dialogOf(page).getByLabel(words.ui.reason, { exact: true }).fill('MER-2026')
  await press(dialogOf(page), label)
  await dialogOf(page).waitFor({ state: 'hidden' })
}

/** The signs of a row take presses while it is pointed at. */
export const inFirstRow =
  (label: (words: Words) => string): Opens =>
  async ({ page, words }) => {
    const row = page.getByRole('table').getByRole('row').nth(1)
    await row.hover()
    await press(row, label(words))
  }

/** Chooses the first row and does this with it. */
export const withRow =
  (label: (words: Words) => string): Opens =>
  async ({ page, words }) => {
    await page
      .getByRole('checkbox', { name: saying(words.ui.selectRow) })
      .first()
      .check()
    await press(page.getByRole('region', { name: words.ui.bulkActs }), label(words))
  }

export const setting =
  (key: keyof Words['settings']['names']): Opens =>
  ({ page, words: { settings } }) =>
    press(page.getByRole('listitem', { name: settings.names[key] }), settings.change)

/** Decides about what waits for a second person: of somebody else's the first, or who looks takes their own back. */
export const waiting =
  (verdict: 'approve' | 'reject' | 'withdraw'): Opens =>
  ({ page, words: { approvals } }) => {
    const refusal = approvals[verdict === 'withdraw' ? 'withdraw' : 'reject']
    const item = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: saying(refusal) }) })
    return press(item.first(), approvals[verdict])
  }
