import {
  choosing,
  type DialogPage,
  dialogOf,
  press,
  pressing,
  pressingChoice,
  withRow,
} from '../open-dialog.ts'

/** What opens over any page, and over a list. */
export const shell: DialogPage = {
  path: () => '/orders?status=paid',
  dialogs: {
    language: pressingChoice((words) => words.shell.language),
    theme: pressingChoice((words) => words.shell.theme),
    'account menu': pressing((words) => words.shell.operatorMenu),
    'reason for showing nicknames': async ({ page, words }) => {
      await press(page, words.shell.operatorMenu)
      await press(page, words.shell.names.show)
    },
    'search from anywhere': async ({ page, words, desks }) => {
      await press(page, words.shell.findAnything)
      await page.getByRole('combobox', { name: words.palette.title }).fill(desks.paid)
      await page.getByRole('option').filter({ hasText: '29.00' }).waitFor()
    },
    'sheet of keys': ({ page }) => page.keyboard.press('?'),
    'range of amounts': pressingChoice((words) => words.orders.amount),
    'choice of a plan': choosing((words) => words.orders.plan),
    'choice of an order': choosing((words) => words.orders.sort),
    calendar: pressing((words) => words.orders.dates),
    'save a view': pressing((words) => words.views.save),
    'table settings': pressing((words) => words.ui.tableMenu),
    'several orders synced': async (scene) => {
      await withRow((words) => words.orders.bulkSync)(scene)
      await dialogOf(scene.page)
        .getByRole('button', { name: scene.words.ui.bulkClose, exact: true })
        .waitFor()
    },
    'pages of a group': async ({ page, words }) => {
      const fold = page.getByRole('button', { name: words.shell.foldNavigation })
      if (await fold.isVisible()) await fold.click()
      await press(page, words.shell.groups.money)
    },
    navigation: async ({ page, words }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await press(page, words.shell.openNavigation)
    },
  },
}
