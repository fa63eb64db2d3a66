import { keepProven, letPasswordPass, letProofPass, withoutAuthenticator } from './database.ts'
import type { DialogDesks } from './furnish-dialogs.ts'
import {
  actBecause,
  choosing,
  dialogOf,
  type Opens,
  press,
  pressing,
  pressingChoice,
  setting,
  withRow,
} from './open-dialog.ts'
import { saying } from './words.ts'
import { world } from './world.ts'

/** A page and what opens over it. What is open is closed by Escape before the next is opened. */
type DialogPage = {
  path: (desks: DialogDesks) => string
  dialogs: Record<string, Opens>
  /** Takes away in the end what others must not find there. */
  clear?: Opens
}

const shell: DialogPage = {
  path: () => '/orders?status=paid',
  dialogs: {
    language: pressingChoice((words) => words.shell.language),
    theme: pressingChoice((words) => words.shell.theme),
    'account menu': pressing((words) => words.shell.operatorMenu),
    'search from anywhere': async ({ page, words, desks }) => {
      await press(page, words.shell.findAnything)
      await page.getByRole('combobox', { name: words.palette.title }).fill(desks.paid)
      await page.getByRole('option').filter({ hasText: '29.00' }).waitFor()
    },
    'sheet of keys': ({ page }) => page.keyboard.press('?'),
    'range of amounts': pressingChoice((words) => words.orders.amount),
    'choice of a plan': choosing((words) => words.orders.plan),
    'choice of an order': choosing((words) => words.orders.sort),
    calendar: ({ page, words }) => page.getByPlaceholder(words.orders.from).click(),
    'save a view': pressing((words) => words.views.save),
    'table settings': pressing((words) => words.ui.tableMenu),
    'several orders synced': async (scene) => {
      await withRow((words) => words.orders.bulkSync)(scene)
      await dialogOf(scene.page)
        .getByRole('button', { name: scene.words.ui.bulkClose, exact: true })
        .waitFor()
    },
    navigation: async ({ page, words }) => {
      await page.setViewportSize({ width: 390, height: 844 })
      await press(page, words.shell.openNavigation)
    },
  },
}

const money: DialogPage[] = [
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
      'resolve an alert': pressing((words) => words.alerts.resolve),
      'resolve several alerts': withRow((words) => words.alerts.resolve),
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
    path: ({ closableDay }) => `/reconciliation/${closableDay}`,
    dialogs: { 'close a day': pressing((words) => words.reconciliation.close) },
  },
]

const people: DialogPage[] = [
  { path: () => '/devices', dialogs: { 'choice of an origin': choosing((words) => words.devices.origin) } },
  {
    path: ({ userId }) => `/users/${userId}`,
    dialogs: {
      'see an identity': pressing((words) => words.users.reveal.submit),
      'end one session': pressing((words) => words.users.endSession.submit),
      'end all sessions': pressing((words) => words.users.endSessions.submit),
      'disable a user': pressing((words) => words.users.disable.submit),
      'enable a user': async (scene) => {
        await actBecause(scene, scene.words.users.disable.submit)
        await press(scene.page, scene.words.users.enable.submit)
      },
    },
  },
  {
    path: ({ serial }) => `/devices/${serial}`,
    dialogs: {
      'unbind a device': pressing((words) => words.devices.unbind.submit),
      'disable a device': pressing((words) => words.devices.disable.submit),
      'enable a device': async (scene) => {
        await actBecause(scene, scene.words.devices.disable.submit)
        await press(scene.page, scene.words.devices.enable.submit)
      },
    },
  },
  {
    path: ({ userId }) => `/subscriptions/${userId}`,
    dialogs: {
      'change days': async ({ page, words: { subscriptions } }) => {
        await press(page, subscriptions.change)
        await page.getByLabel(subscriptions.dialog.days, { exact: true }).fill('40')
        await page.getByRole('region', { name: subscriptions.dialog.preview }).waitFor()
      },
      'approve days': pressing((words) => words.subscriptions.approve),
      'reject days': pressing((words) => words.subscriptions.reject),
    },
  },
]

const system: DialogPage[] = [
  { path: () => '/plans', dialogs: { 'create a plan': pressing((words) => words.plans.create) } },
  {
    path: () => '/plans/monthly',
    dialogs: {
      'edit a plan': pressing((words) => words.plans.edit),
      'change a price': async ({ page, words: { plans } }) => {
        await press(page, plans.changePrice)
        await dialogOf(page).getByLabel(plans.form.labels.priceFen, { exact: true }).fill('15')
        await page.getByRole('table', { name: plans.form.preview }).waitFor()
      },
    },
  },
  {
    path: () => '/diagnosis',
    dialogs: {
      'publish a draft': async ({ page, words: { diagnosis } }) => {
        await press(page, diagnosis.start)
        await press(page, diagnosis.addPart)
        const part = page.getByRole('region', { name: diagnosis.bodyParts })
        await part.getByLabel(diagnosis.fields.code).last().fill('wrist')
        await part.getByLabel(diagnosis.fields.name).last().fill('wrist')
        await press(page, diagnosis.save)
        await press(page, diagnosis.publishVersion)
      },
      'discard a draft': pressing((words) => words.diagnosis.discard),
    },
    clear: async ({ page, words: { diagnosis } }) => {
      await press(page, diagnosis.discard)
      await press(dialogOf(page), diagnosis.discardVersion)
      await dialogOf(page).waitFor({ state: 'hidden' })
    },
  },
  {
    path: () => '/settings',
    dialogs: {
      'change where it is sold': setting('sale_policy'),
      'change what is free': setting('free_features'),
      'change what is done with late payments': setting('late_payment_policy'),
      'change a number': setting('order_ttl_minutes'),
    },
  },
  { path: () => '/audit', dialogs: { 'choice of an act': choosing((words) => words.audit.actionFilter) } },
  { path: () => '/jobs', dialogs: { 'take a job out': pressing((words) => words.jobs.cancelJob) } },
  { path: () => '/staff', dialogs: { 'add somebody': pressing((words) => words.staff.invite) } },
  {
    path: ({ colleague }) => `/staff/${colleague}`,
    dialogs: {
      'change a role': pressing((words) => words.staff.acts.changeRole.button),
      'reset a password': pressing((words) => words.staff.acts.resetPassword.button),
      'reset a second factor': pressing((words) => words.staff.acts.resetSecondFactor.button),
      'close an account': pressing((words) => words.staff.acts.disable.button),
    },
  },
  {
    path: ({ former }) => `/staff/${former}`,
    dialogs: {
      'open an account': pressing((words) => words.staff.acts.enable.button),
      'one-time password': async ({ page, words: { staff } }) => {
        await press(page, staff.acts.resetPassword.button)
        await press(dialogOf(page), staff.acts.resetPassword.submit)
        await page.getByRole('dialog', { name: saying(staff.password.title) }).waitFor()
      },
    },
  },
  {
    path: () => '/account',
    dialogs: {
      'set a second factor up first': ({ page, words }) =>
        withoutAuthenticator(world().operators.owner.email, async () => {
          await press(page, words.account.factor.renew)
          await page.getByRole('dialog', { name: words.session.stepUp.enrolHeading }).waitFor()
        }),
      'show the second factor first': async ({ page, words }) => {
        await letProofPass(world().operators.owner.email)
        await press(page, words.account.factor.renew)
      },
      'give the password first': async ({ page, words }) => {
        await keepProven(world().operators.owner.email)
        await letPasswordPass(world().operators.owner.email)
        await press(page, words.account.factor.renew)
        await page.getByRole('dialog', { name: words.session.stepUp.passwordHeading }).waitFor()
      },
      'new recovery codes': async ({ page, words }) => {
        await keepProven(world().operators.owner.email)
        await press(page, words.account.factor.renew)
      },
    },
  },
]

/** Every dialog, pop-up and list of the console. */
export const dialogPages: readonly DialogPage[] = [...system, ...people, ...money, shell]
