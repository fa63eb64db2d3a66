'use client'

import { Reason } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { FormDialog } from './form-dialog.tsx'
import type { Act } from './use-act.ts'

const Reasoned = z.object({ reason: Reason })

type ReasonDialogProps<Rest extends object, Output> = {
  title: string
  lead: ReactNode
  submitLabel: string
  danger?: boolean
  act: Act<Rest & { reason: string }, Output>
  /** What it is done to. */
  input: Rest
  onClose: () => void
}

/** An act that must say why: the reason goes to the audit log. */
export function ReasonDialog<Rest extends object, Output>(props: ReasonDialogProps<Rest, Output>) {
  const { act, input, ...dialog } = props
  const t = useTranslations('ui')
  return (
    <FormDialog
      {...dialog}
      schema={Reasoned}
      start={{ reason: '' }}
      act={{ ...act, run: ({ reason }, onDone) => act.run({ ...input, reason }, onDone) }}
      incomplete={t('reasonNeeded')}
      fields={[{ kind: 'text', name: 'reason', label: t('reason'), hint: t('reasonHint'), rows: 2 }]}
    />
  )
}
