import { choosing, type DialogPage, dialogOf, type Opens, press, pressing, withRow } from '../open-dialog.ts'
import { closableMonth } from '../planted-desks.ts'
import type { Words } from '../words.ts'

/** Chooses in the menu of the first row of the queue. */
const lookingAfter =
  (choice: (words: Words) => string): Opens =>
  async ({ page, words }) => {
    await press(page, words.inbox.lookAfter)
    await press(dialogOf(page), choice(words))
  }

/** Orders, refunds, notifications, alerts and reconciliation. */
export const money: DialogPage[] = [
  {
    path: ({ paid }) => `/orders/${paid}`,
    dialogs: {
      refund: async ({ page, words }) => {
        await press(page, words.order.refund)
        await page.getByRole('region', { name: words.refunds.preview.title }).waitFor()
      },
    },
  },
  {
    path: ({ unpaid }) => `/orders/${unpaid}`,
    dialogs: { 'close an order': pressing((words) => words.order.close) },
  },
  {
    path: ({ parked }) => `/orders/${parked}`,
    dialogs: { 'decide an order': pressing((words) => words.alerts.decide) },
  },
  {
    path: ({ tooLate }) => `/orders/${tooLate}`,
    dialogs: { 'decide a late payment': pressing((words) => words.alerts.decide) },
  },
  {
    path: () => '/inbox?view=all',
    dialogs: {
      'look after what waits': pressing((words) => words.inbox.lookAfter),
      'give what waits to a colleague': lookingAfter((words) => words.inbox.choices.give),
      'put off what waits': lookingAfter((words) => words.inbox.choices.anotherDay),
    },
  },
  {
    path: () => '/inbox?view=all&kind=approval',
    dialogs: {
      'approve what waits': ({ page, words }) =>
        page
          .getByRole('button', { name: words.approvals.approve, exact: true, disabled: false })
          .first()
          .click(),
    },
  },
  {
    path: () => '/refunds?status=succeeded',
    dialogs: {
      'edit a view': pressing((words) => words.views.edit),
      'delete a view': pressing((words) => words.views.remove),
    },
  },
  {
    path: ({ requested }) => `/refunds/${requested}`,
    dialogs: {
      'approve a refund': pressing((words) => words.refunds.approve),
      'reject a refund': pressing((words) => words.refunds.reject),
    },
  },
  {
    path: ({ abnormal }) => `/refunds/${abnormal}`,
    dialogs: {
      'redirect a refund': async ({ page, words: { refunds } }) => {
        await press(page, refunds.redirect)
        await page.getByLabel(refunds.destinations.user_bank_card).check()
      },
    },
  },
  {
    path: ({ contradicted }) => `/refunds/${contradicted}`,
    dialogs: {
      'say that a refund succeeded': pressing((words) => words.refunds.contradiction.accept),
      'say that a refund was closed': pressing((words) => words.refunds.contradiction.keep),
    },
  },
  {
    path: ({ notification }) => `/notifications/${notification}`,
    dialogs: {
      'see a whole message': pressing((words) => words.notifications.reveal),
      'replay a message': async ({ page, words }) => {
        await press(page, words.notifications.dryRun)
        await page.getByRole('region', { name: words.notifications.effect }).waitFor()
      },
    },
  },
  {
    path: () => '/alerts?view=alerts',
    dialogs: {
      'resolve several alerts': withRow((words) => words.alerts.resolve),
    },
  },
  {
    path: () => '/alerts?view=alerts',
    dialogs: {
      'resolve an alert': async ({ page, words }) => {
        await page.getByRole('table').first().locator('tbody a').first().click()
        await page.waitForURL(/\/alerts\/\d/)
        await press(page, words.alerts.resolve)
      },
    },
  },
  {
    path: () => '/reconciliation?view=differences',
    dialogs: {
      'reconcile a day': pressing((words) => words.reconciliation.run),
      'choice of a state': choosing((words) => words.reconciliation.state),
    },
  },
  {
    path: ({ openDay }) => `/reconciliation/${openDay}`,
    dialogs: { 'resolve a difference': pressing((words) => words.reconciliation.resolve) },
  },
  {
    path: () => `/finance?month=${closableMonth}`,
    dialogs: { 'close a month': pressing((words) => words.finance.close) },
  },
  {
    path: ({ closableDay }) => `/reconciliation/${closableDay}`,
    dialogs: { 'close a day': pressing((words) => words.reconciliation.close) },
  },
]
