'use client'

import { type NotificationPayload, PayloadRequest } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import { ActButton } from '../../../kit/act/act-button.tsx'
import { FormDialog } from '../../../kit/act/form-dialog.tsx'
import { useAct } from '../../../kit/act/use-act.ts'

type RevealProps = { id: string; onShown: (payload: NotificationPayload) => void }

/** The bytes as they came, for a reason that is kept. */
export function RevealPayload({ id, onShown }: RevealProps) {
  const t = useTranslations('notifications')
  const reveal = useAct({ call: (api) => api.notification.payload.mutate, invalidates: [], after: onShown })
  const label = t('revealReason')
  return (
    <ActButton
      icon="eye"
      label={t('reveal')}
      hint={t('revealHint')}
      permission="notification.payload"
      forbidden={(who) => t('revealForbidden', who)}
      onOpen={reveal.reset}
      dialog={(close) => (
        <FormDialog
          title={t('revealTitle')}
          lead={t('revealLead')}
          submitLabel={t('reveal')}
          schema={PayloadRequest}
          start={{ id, reason: '' }}
          incomplete={t('reasonNeeded')}
          fields={[{ kind: 'text', name: 'reason', label, hint: t('revealReasonHint'), rows: 2 }]}
          act={reveal}
          onClose={close}
        />
      )}
    />
  )
}
