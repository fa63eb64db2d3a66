'use client'

import { Reason } from '@meridian/contracts'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { ActButton, type Guard, type Shown } from './act-button.tsx'
import { FormDialog } from './form-dialog.tsx'
import type { Act } from './use-act.ts'

const Reasoned = z.object({ reason: Reason })

type Asked<Rest extends object, Output> = {
  title: string
  lead: ReactNode
  submitLabel: string
  danger?: boolean
  act: Act<Rest & { reason: string }, Output>
  /** What it is done to. */
  input: Rest
}

function ReasonDialog<Rest extends object, Output>(props: Asked<Rest, Output> & { onClose: () => void }) {
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

type ReasonButtonProps<Rest extends object, Output> = Omit<Shown, 'label'> &
  Guard & {
    /** Where it differs from what the dialog's button says. */
    label?: string
    asked: Asked<Rest, Output>
  }

/** The button of an act that must say why: the reason goes to the audit log. */
export function ReasonButton<Rest extends object, Output>(props: ReasonButtonProps<Rest, Output>) {
  const { asked, label = asked.submitLabel, ...button } = props
  return (
    <ActButton
      {...button}
      label={label}
      onOpen={asked.act.reset}
      dialog={(close) => <ReasonDialog {...asked} onClose={close} />}
    />
  )
}
