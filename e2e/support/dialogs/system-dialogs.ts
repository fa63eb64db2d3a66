import { choosing, type DialogPage, dialogOf, press, pressing, setting, waiting } from '../open-dialog.ts'

/** Plans, programs, settings, the audit log, jobs and keys. */
export const system: DialogPage[] = [
  { path: () => '/keys', dialogs: { 'enter the last day': pressing((words) => words.keys.enterEnd) } },
  {
    path: () => '/plans',
    dialogs: {
      'create a plan': pressing((words) => words.plans.create),
      'approve a price': waiting('approve'),
      'reject a price': waiting('reject'),
      'take a price back': waiting('withdraw'),
    },
  },
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
      'take a publication back': async (scene) => {
        const { page, words } = scene
        await press(page, words.diagnosis.publishVersion)
        const dialog = dialogOf(page)
        const [version = ''] = /v\d+/.exec((await dialog.getByRole('heading').textContent()) ?? '') ?? []
        await dialog.getByRole('textbox').fill(version)
        await press(dialog, words.diagnosis.publishVersion)
        await dialog.waitFor({ state: 'hidden' })
        await waiting('withdraw')(scene)
      },
    },
    clear: async (scene) => {
      const { page, words } = scene
      const { diagnosis, approvals } = words
      await waiting('withdraw')(scene)
      await press(dialogOf(page), approvals.withdrawNamed)
      await dialogOf(page).waitFor({ state: 'hidden' })
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
      'change the bounds of programs': setting('program_bounds'),
      'change message templates': async (scene) => {
        await setting('message_templates')(scene)
        const { settings } = scene.words
        await press(dialogOf(scene.page), settings.template.add)
      },
      'approve a setting': waiting('approve'),
      'reject a setting': waiting('reject'),
    },
  },
  { path: () => '/audit', dialogs: { 'choice of an act': choosing((words) => words.audit.actionFilter) } },
  { path: () => '/jobs', dialogs: { 'take a job out': pressing((words) => words.jobs.cancelJob) } },
]
