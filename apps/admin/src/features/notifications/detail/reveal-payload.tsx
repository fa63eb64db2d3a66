'use client'

import type { NotificationPayload } from '@meridian/contracts'
import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { useTRPC } from '../../../api-client/api-provider.tsx'
import { useFailure } from '../../../api-client/use-failure.ts'
import { useForbidden } from '../../../session/use-forbidden.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Input } from '../../../ui/input.tsx'

const SHORTEST_REASON = 2

type Shown = (payload: NotificationPayload) => void

function RevealDialog({ id, onShown, onClose }: { id: string; onShown: Shown; onClose: () => void }) {
  const t = useTranslations('notifications')
  const trpc = useTRPC()
  const failureOf = useFailure()
  const [reason, setReason] = useState('')
  const reveal = useMutation(
    trpc.notification.payload.mutationOptions({
      onSuccess: (payload) => {
        onShown(payload)
        onClose()
      },
    }),
  )
  return (
    <Dialog
      title={t('revealTitle')}
      lead={t('revealLead')}
      submitLabel={t('reveal')}
      disabledReason={reason.trim().length < SHORTEST_REASON ? t('reasonNeeded') : null}
      submitting={reveal.isPending}
      failure={failureOf(reveal.error)?.title ?? null}
      onSubmit={() => reveal.mutate({ id, reason: reason.trim() })}
      onClose={onClose}
    >
      <Field label={t('revealReason')} hint={t('revealReasonHint')}>
        {(attributes) => (
          <Input.TextArea
            {...attributes}
            rows={2}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}

/** The bytes as they came, for a reason that is kept. */
export function RevealPayload({ id, onShown }: { id: string; onShown: Shown }) {
  const t = useTranslations('notifications')
  const forbidden = useForbidden('notification.payload')
  const [open, setOpen] = useState(false)
  return (
    <>
      <ActionButton
        icon={<Icon name="eye" />}
        busy={false}
        hint={t('revealHint')}
        disabledReason={forbidden && t('revealForbidden', forbidden)}
        onPress={() => setOpen(true)}
      >
        {t('reveal')}
      </ActionButton>
      {open && <RevealDialog id={id} onShown={onShown} onClose={() => setOpen(false)} />}
    </>
  )
}
