'use client'

import { type ApiKeyRow, apiScopes, type CreatedApiKey, NewApiKey } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { z } from 'zod'
import { ConfirmDialog } from '../../kit/act/confirm-dialog.tsx'
import { FormDialog } from '../../kit/act/form-dialog.tsx'
import { ShownOnce } from '../../kit/act/shown-once.tsx'
import { useAct } from '../../kit/act/use-act.ts'
import { scopeWords } from './scope-words.tsx'

/** The one time that a key is shown. */
function ShownKey({ created: { key }, onClose }: { created: CreatedApiKey; onClose: () => void }) {
  const t = useTranslations('apiKeys.shown')
  return (
    <ShownOnce
      title={t('title')}
      lead={t('lead')}
      done={t('done')}
      name={t('name')}
      secret={key}
      note={t('once')}
      onClose={onClose}
    />
  )
}

/** The day is typed; the key works through the end of it in Beijing. */
const TypedApiKey = NewApiKey.extend({
  expiresAt: z
    .union([z.literal(''), z.iso.date()])
    .transform((day) => (day === '' ? null : new Date(`${day}T23:59:59.999+08:00`))),
})

/** Makes a key for another system, and shows it once. */
export function CreateApiKey({ onClose }: { onClose: () => void }) {
  const t = useTranslations('apiKeys')
  const [created, setCreated] = useState<CreatedApiKey | null>(null)
  const create = useAct({
    call: (api) => api.apiKey.create.mutate,
    invalidates: ['apiKey'],
    after: (given) => setCreated(given),
  })
  if (created) return <ShownKey created={created} onClose={onClose} />
  const options = apiScopes.map((scope) => ({
    value: scope,
    label: t(`scopes.${scopeWords[scope]}`),
    note: t(`scopeHints.${scopeWords[scope]}`),
  }))
  return (
    <FormDialog
      title={t('create')}
      lead={t('createLead')}
      submitLabel={t('create')}
      incomplete={t('incomplete')}
      schema={TypedApiKey}
      start={{ name: '', scopes: [], expiresAt: '' as const }}
      fields={[
        { kind: 'line', name: 'name', label: t('name'), hint: t('nameHint'), maxLength: 64, autoFocus: true },
        { kind: 'checks', name: 'scopes', label: t('scopesLabel'), options },
        { kind: 'line', type: 'date', name: 'expiresAt', label: t('expiresAt'), hint: t('expiresAtHint') },
      ]}
      act={{ ...create, run: (wanted) => create.run(wanted) }}
      onClose={onClose}
    />
  )
}

export function RevokeApiKey({ apiKey, onClose }: { apiKey: ApiKeyRow; onClose: () => void }) {
  const t = useTranslations('apiKeys')
  const revoke = useAct({
    call: (api) => api.apiKey.revoke.mutate,
    invalidates: ['apiKey'],
    done: () => t('revoked'),
  })
  return (
    <ConfirmDialog
      title={t('revokeTitle', { name: apiKey.name })}
      lead={t('revokeLead')}
      submitLabel={t('revoke')}
      danger
      act={revoke}
      input={{ id: apiKey.id }}
      onClose={onClose}
    />
  )
}
