import { choosing, type DialogPage, dialogOf, inFirstRow, pressing } from '../open-dialog.ts'

/** What things are marked with. */
export const tags: DialogPage[] = [
  {
    path: ({ paid }) => `/orders/${paid}`,
    dialogs: {
      'a tag': async ({ page, words }) => {
        await page.keyboard.press('t')
        await dialogOf(page).getByRole('combobox', { name: words.tags.find }).fill('MER-2026')
        await dialogOf(page).getByRole('radio').first().waitFor()
      },
    },
  },
  { path: () => '/users', dialogs: { 'choice of a tag': choosing((words) => words.tags.filter) } },
  {
    path: () => '/tags',
    dialogs: {
      'create a tag': pressing((words) => words.tagList.create),
      'edit a tag': inFirstRow((words) => words.tagList.edit),
      'merge a tag': inFirstRow((words) => words.tagList.merge),
    },
  },
]
