import { type DialogPage, dialogOf } from '../open-dialog.ts'

/** What is written about things, and who it mentions. */
export const notes: DialogPage[] = [
  {
    path: ({ userId }) => `/users/${userId}`,
    dialogs: {
      'a note': async ({ page, words }) => {
        await page.keyboard.press('n')
        const dialog = dialogOf(page)
        await dialog.getByLabel(words.notes.text, { exact: true }).fill('13800138000 @')
        await dialog.getByRole('option').first().waitFor()
      },
      // How many are new stands behind the name.
      'mentions of me': ({ page, words }) =>
        page.getByRole('button', { name: new RegExp(`^${words.notes.mentions}`) }).click(),
    },
  },
]
