'use client'

import {
  eventTypes,
  NewWebhookEndpoint,
  WebhookEdit,
  type WebhookEndpointRow,
  type WebhookSecret,
} from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import type { FormField } from '../../kit/act/act-form.ts'
import { ConfirmDialog } from '../../kit/act/confirm-dialog.tsx'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { ShownOnce } from '../../kit/act/shown-once.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { useEventType } from './webhook-words.tsx'

type ShownProps = { given: WebhookSecret; note: 'once' | 'rotated'; onClose: () => void }

/** The one time that a secret is shown. */
function ShownSecret({ given: { secret }, note, onClose }: ShownProps) {
  const t = useTranslations('webhooks.shown')
  return (
    <ShownOnce
      title={t('title')}
      lead={t('lead')}
      done={t('done')}
      name={t('name')}
      secret={secret}
      note={t(note)}
      onClose={onClose}
    />
  )
}

function useEndpointFields(): FormField[] {
  const t = useTranslations('webhooks')
  const typeOf = useEventType()
  const options = eventTypes.map((type) => ({ value: type, label: typeOf(type) }))
  const system = { name: 'description', label: t('description'), hint: t('descriptionHint') }
  return [
    { kind: 'line', ...system, maxLength: 64, autoFocus: true },
    { kind: 'line', name: 'url', label: t('url'), hint: t('urlHint'), maxLength: 2048, spellCheck: false },
    { kind: 'checks', name: 'types', label: t('typesLabel'), options },
  ]
}

/** Adds an endpoint, and shows its secret once. */
export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const t = useTranslations('webhooks')
  const [given, setGiven] = useState<WebhookSecret | null>(null)
  const fields = useEndpointFields()
  const create = useAct({
    call: (api) => api.webhooks.create.mutate,
    invalidates: ['webhooks'],
    after: (secret) => setGiven(secret),
  })
  if (given) return <ShownSecret given={given} note="once" onClose={onClose} />
  return (
    <FormDialog
      title={t('create')}
      lead={t('createLead')}
      submitLabel={t('create')}
      incomplete={t('incomplete')}
      schema={NewWebhookEndpoint}
      start={{ url: '', description: '', types: [] }}
      fields={fields}
      act={{ ...create, run: (wanted) => create.run(wanted) }}
      onClose={onClose}
    />
  )
}

type EndpointProps = { endpoint: WebhookEndpointRow; onClose: () => void }

export function EditWebhook({ endpoint: { id, url, description, types }, onClose }: EndpointProps) {
  const t = useTranslations('webhooks')
  const fields = useEndpointFields()
  const edit = useAct({
    call: (api) => api.webhooks.edit.mutate,
    invalidates: ['webhooks'],
    done: () => t('saved'),
  })
  return (
    <FormDialog
      title={t('editTitle', { name: description })}
      submitLabel={t('save')}
      incomplete={t('incomplete')}
      schema={WebhookEdit}
      start={{ id, url, description, types }}
      fields={fields}
      act={edit}
      onClose={onClose}
    />
  )
}

/** Makes a new secret, and shows it once. */
export function RotateSecret({ endpoint: { id, description }, onClose }: EndpointProps) {
  const t = useTranslations('webhooks')
  const rotate = useAct({ call: (api) => api.webhooks.rotate.mutate, invalidates: ['webhooks'] })
  if (rotate.output) return <ShownSecret given={rotate.output} note="rotated" onClose={onClose} />
  return (
    <ConfirmDialog
      title={t('rotateTitle', { name: description })}
      lead={t('rotateLead')}
      submitLabel={t('rotate')}
      // The dialog stays, to show the secret.
      act={{ ...rotate, run: (input) => rotate.run(input) }}
      input={{ id }}
      onClose={onClose}
    />
  )
}

export function DisableWebhook({ endpoint: { id, description }, onClose }: EndpointProps) {
  const t = useTranslations('webhooks')
  const disable = useAct({
    call: (api) => api.webhooks.switch.mutate,
    invalidates: ['webhooks'],
    done: () => t('disabled'),
  })
  return (
    <ConfirmDialog
      title={t('disableTitle', { name: description })}
      lead={t('disableLead')}
      submitLabel={t('disable')}
      danger
      act={disable}
      input={{ id, enabled: false }}
      onClose={onClose}
    />
  )
}

/** Removes an endpoint; its page is left for the list. */
export function RemoveWebhook({
  endpoint: { id, description },
  onRemoved,
  onClose,
}: EndpointProps & { onRemoved: () => void }) {
  const t = useTranslations('webhooks')
  const remove = useAct({
    call: (api) => api.webhooks.remove.mutate,
    invalidates: ['webhooks'],
    done: () => t('removed'),
    after: onRemoved,
  })
  return (
    <ConfirmDialog
      title={t('removeTitle', { name: description })}
      lead={t('removeLead')}
      submitLabel={t('remove')}
      danger
      act={remove}
      input={{ id }}
      onClose={onClose}
    />
  )
}
