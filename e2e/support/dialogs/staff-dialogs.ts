import { type DialogPage, dialogOf, press, pressing } from '../open-dialog.ts'
import { keepProven, letPasswordPass, letProofPass, withoutAuthenticator } from '../stored-operators.ts'
import { saying } from '../words.ts'
import { world } from '../world.ts'

/** Operators and one’s own account. */
export const staff: DialogPage[] = [
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
    path: ({ newcomer }) => `/staff/${newcomer}`,
    dialogs: {
      'confirm a second factor': pressing((words) => words.staff.acts.confirmSecondFactor.button),
      'unbind a company account': pressing((words) => words.staff.acts.unbindIdentity.button),
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
