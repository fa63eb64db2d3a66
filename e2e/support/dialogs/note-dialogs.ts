import { type DialogPage, dialogOf, pressing } from '../open-dialog.ts'

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
      'mentions of me': pressing((words) => words.notes.mentions),
    },
  },
]
