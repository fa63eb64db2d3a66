'use client'

import { type NotificationPayload, PayloadRequest } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { FormDialog } from '../../../kit/act/form-dialog.tsx'
import { useAct } from '../../../kit/act/use-act.ts'

export type RevealProps = { id: string; onShown: (payload: NotificationPayload) => void }

/** Asks why somebody must see the bytes as they came, and gives them. */
export function RevealDialog({ id, onShown, onClose }: RevealProps & { onClose: () => void }) {
  const t = useTranslations('notifications')
  const reveal = useAct({ call: (api) => api.notification.payload.mutate, invalidates: [], after: onShown })
  const field = { name: 'reason', label: t('revealReason'), hint: t('revealReasonHint') }
  return (
    <FormDialog
      title={t('revealTitle')}
      lead={t('revealLead')}
      submitLabel={t('reveal')}
      schema={PayloadRequest}
      start={{ id, reason: '' }}
      incomplete={t('reasonNeeded')}
      fields={[{ kind: 'text', rows: 2, ...field }]}
      act={reveal}
      onClose={onClose}
    />
  )
}
