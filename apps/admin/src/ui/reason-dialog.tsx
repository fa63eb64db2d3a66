'use client'

import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { Input } from './input.tsx'

const SHORTEST_REASON = 4

export type ReasonDialogProps = {
  title: string
  lead: ReactNode
  submitLabel: string
  danger?: boolean
  submitting: boolean
  failure: string | null
  onSubmit: (reason: string) => void
  onClose: () => void
}

/** An act that must say why: the reason goes to the audit log. */
export function ReasonDialog({ onSubmit, ...dialog }: ReasonDialogProps) {
  const t = useTranslations('ui')
  const [reason, setReason] = useState('')
  const written = reason.trim()
  return (
    <Dialog
      {...dialog}
      disabledReason={written.length < SHORTEST_REASON ? t('reasonNeeded') : null}
      onSubmit={() => onSubmit(written)}
    >
      <Field label={t('reason')} hint={t('reasonHint')}>
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
