import {
  choosing,
  type DialogPage,
  dialogOf,
  inFirstRow,
  type Opens,
  press,
  pressing,
} from '../open-dialog.ts'
import { plantedEndpoint } from '../plant-developers.ts'

const showKey: Opens = async ({ page, words: { apiKeys } }) => {
  await press(page, apiKeys.create)
  await dialogOf(page).getByLabel(apiKeys.name, { exact: true }).fill('MER-2026')
  await dialogOf(page).getByLabel(apiKeys.scopes.orders_read, { exact: true }).check()
  await press(dialogOf(page), apiKeys.create)
  await page.getByRole('dialog', { name: apiKeys.shown.title }).waitFor()
}

const showSecret: Opens = async ({ page, words: { webhooks } }) => {
  await press(page, webhooks.rotate)
  await press(dialogOf(page), webhooks.rotate)
  await page.getByRole('dialog', { name: webhooks.shown.title }).waitFor()
}

/** Keys of other systems, and where these are told what happens. */
export const developers: DialogPage[] = [
  {
    path: () => '/developers',
    dialogs: {
      'create an API key': pressing((words) => words.apiKeys.create),
      'an API key, once': showKey,
      'revoke an API key': inFirstRow((words) => words.apiKeys.revoke),
    },
  },
  {
    path: () => '/developers/webhooks',
    dialogs: { 'add an endpoint': pressing((words) => words.webhooks.create) },
  },
  {
    path: () => `/developers/webhooks/${plantedEndpoint}`,
    dialogs: {
      'edit an endpoint': pressing((words) => words.webhooks.edit),
      'rotate a secret': pressing((words) => words.webhooks.rotate),
      'a signing secret, once': showSecret,
      'disable an endpoint': pressing((words) => words.webhooks.disable),
      'delete an endpoint': pressing((words) => words.webhooks.remove),
      'choice of a status': choosing((words) => words.webhooks.deliveries.state),
      'choice of an event type': choosing((words) => words.webhooks.deliveries.type),
    },
  },
]
