import { actBecause, choosing, type DialogPage, press, pressing } from '../open-dialog.ts'

/** Users, devices and subscriptions. */
export const people: DialogPage[] = [
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
