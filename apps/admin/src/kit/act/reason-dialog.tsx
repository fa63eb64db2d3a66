'use client'

import { Reason } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { FormDialog } from './form-dialog.tsx'
import type { Act } from './use-act.ts'

const Reasoned = z.object({ reason: Reason })

type ReasonDialogProps = {
  title: string
  lead: ReactNode
  submitLabel: string
  danger?: boolean
  act: Pick<Act<{ reason: string }>, 'run' | 'busy' | 'failure'>
  onClose: () => void
}

/** Asks why an act is done. */
export function ReasonDialog(props: ReasonDialogProps) {
  const t = useTranslations('ui')
  return (
    <FormDialog
      {...props}
      schema={Reasoned}
      start={{ reason: '' }}
      incomplete={t('reasonNeeded')}
      fields={[{ kind: 'text', name: 'reason', label: t('reason'), hint: t('reasonHint'), rows: 2 }]}
    />
  )
}
