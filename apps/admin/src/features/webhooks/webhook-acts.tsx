'use client'

import type { WebhookEndpointRow } from '@meridian/contracts'
import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import { defineAct, defineDialogAct } from '../../kit/act/define-act.tsx'

const loadDialogs = () => import('./webhook-dialogs.tsx')
const CreateWebhook = dynamic(() => loadDialogs().then((module) => module.CreateWebhook), { ssr: false })
const EditWebhook = dynamic(() => loadDialogs().then((module) => module.EditWebhook), { ssr: false })
const RotateSecret = dynamic(() => loadDialogs().then((module) => module.RotateSecret), { ssr: false })
const DisableWebhook = dynamic(() => loadDialogs().then((module) => module.DisableWebhook), { ssr: false })
const RemoveWebhook = dynamic(() => loadDialogs().then((module) => module.RemoveWebhook), { ssr: false })

const useWords = () => useTranslations('webhooks')
export const permission = 'api_key.manage'

type Endpoint = { endpoint: WebhookEndpointRow }

export const createWebhook = defineDialogAct(useWords, {
  icon: 'plus',
  permission,
  words: (t) => ({ label: t('create'), hint: t('createHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: (_, close) => <CreateWebhook onClose={close} />,
})

export const editWebhook = defineDialogAct(useWords, {
  icon: 'edit',
  permission,
  words: (t) => ({ label: t('edit'), hint: t('editHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: ({ endpoint }: Endpoint, close) => <EditWebhook endpoint={endpoint} onClose={close} />,
})

export const rotateSecret = defineDialogAct(useWords, {
  icon: 'sync',
  permission,
  words: (t) => ({ label: t('rotate'), hint: t('rotateHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: ({ endpoint }: Endpoint, close) => <RotateSecret endpoint={endpoint} onClose={close} />,
})

export const disableWebhook = defineDialogAct(useWords, {
  icon: 'lock',
  permission,
  words: (t) => ({ label: t('disable'), hint: t('disableHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: ({ endpoint }: Endpoint, close) => <DisableWebhook endpoint={endpoint} onClose={close} />,
})

export const enableWebhook = defineAct(useWords, {
  icon: 'checkCircle',
  permission,
  words: (t) => ({ label: t('enable'), hint: t('enableHint'), forbidden: (who) => t('forbidden', who) }),
  act: (t) => ({
    call: (api) => api.webhooks.switch.mutate,
    invalidates: ['webhooks'],
    done: () => t('enabled'),
  }),
})

export const removeWebhook = defineDialogAct(useWords, {
  icon: 'close',
  permission,
  words: (t) => ({ label: t('remove'), hint: t('removeHint'), forbidden: (who) => t('forbidden', who) }),
  dialog: ({ endpoint, onRemoved }: Endpoint & { onRemoved: () => void }, close) => (
    <RemoveWebhook endpoint={endpoint} onRemoved={onRemoved} onClose={close} />
  ),
})

/** Asks for a test message; how it ended stands among the deliveries. */
export const sendTest = defineAct(useWords, {
  icon: 'upload',
  permission,
  words: (t) => ({ label: t('test'), hint: t('testHint'), forbidden: (who) => t('forbidden', who) }),
  act: (t) => ({
    call: (api) => api.webhooks.test.mutate,
    invalidates: ['webhooks'],
    done: () => t('tested'),
  }),
})

/** Sends a message once more, with the same bytes. */
export const sendAgain = defineAct(useWords, {
  icon: 'sync',
  permission,
  words: (t) => ({
    label: t('sendAgain'),
    hint: t('sendAgainHint'),
    forbidden: (who) => t('forbidden', who),
  }),
  act: (t) => ({
    call: (api) => api.webhooks.sendAgain.mutate,
    invalidates: ['webhooks'],
    done: () => t('sentAgain'),
  }),
})
